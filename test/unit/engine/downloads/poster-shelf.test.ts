import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PosterShelf, type PosterMaker } from '../../../../src/engine/downloads/poster-shelf.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

/** A shelf in a new folder, and a video to ask it about. */
function shelf(make: PosterMaker) {
  const folder = temporaryFolder();
  const clock = new VirtualClock();
  const video = (sha256: string) => {
    const file = path.join(folder, `${sha256}.mp4`);
    writeFileSync(file, 'a film');
    return { path: file, sha256 };
  };
  const posters = path.join(folder, 'posters');
  return { posters, clock, video, shelf: new PosterShelf(posters, make, clock) };
}

test('a poster is made when it is first asked for, once, and outlives its video', async () => {
  let made = 0;
  const rig = shelf(() => {
    made += 1;
    return Promise.resolve(Buffer.from('jpeg'));
  });
  const video = rig.video('aa');

  const [first, second] = await Promise.all([rig.shelf.of(video), rig.shelf.of(video)]);
  rmSync(video.path);
  const later = await rig.shelf.of(video);

  expect(made).toBe(1);
  expect(new Set([first, second, later])).toEqual(new Set([path.join(rig.posters, 'aa.jpg')]));
  expect(readFileSync(first ?? '', 'utf8')).toBe('jpeg');
  expect(readdirSync(rig.posters)).toEqual(['aa.jpg']);
});

test('posters are made one after the other', async () => {
  let busy = 0;
  let most = 0;
  const rig = shelf(async () => {
    busy += 1;
    most = Math.max(most, busy);
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    return Buffer.from('jpeg');
  });
  await Promise.all(['a', 'b', 'c'].map((sha256) => rig.shelf.of(rig.video(sha256))));
  expect(most).toBe(1);
});

test('a video that no poster can be made of is not tried twice, and stops no other', async () => {
  const tried: string[] = [];
  const rig = shelf((video) => {
    tried.push(path.basename(video));
    return video.includes('bad')
      ? Promise.reject(new Error('unknown codec'))
      : Promise.resolve(Buffer.from('jpeg'));
  });
  const bad = rig.video('bad');
  const [none, one] = await Promise.all([rig.shelf.of(bad), rig.shelf.of(rig.video('good'))]);
  expect(none).toBeNull();
  expect(one).not.toBeNull();
  expect(await rig.shelf.of(bad)).toBeNull();
  expect(tried).toEqual(['bad.mp4', 'good.mp4']);
});

test('a decoder that never answers is left behind', async () => {
  const begun = Promise.withResolvers<undefined>();
  const rig = shelf((video) => {
    if (!video.includes('stuck')) return Promise.resolve(Buffer.from('jpeg'));
    begun.resolve(undefined);
    return new Promise(() => undefined);
  });
  const stuck = rig.shelf.of(rig.video('stuck'));
  await begun.promise;
  const next = rig.shelf.of(rig.video('next'));
  await rig.clock.advance(20_000);
  expect(await stuck).toBeNull();
  expect(await next).not.toBeNull();
});

test('a video that is gone and never had a poster has none', async () => {
  const rig = shelf(() => Promise.resolve(Buffer.from('jpeg')));
  expect(await rig.shelf.of({ path: '/nowhere/film.mp4', sha256: 'aa' })).toBeNull();
});
