import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  PosterCache,
  type PosterMaker,
  type PosterOutcome,
} from '../../../../src/engine/downloads/poster-cache.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const made: PosterOutcome = { kind: 'made', jpeg: Buffer.from('jpeg') };

/** A cache in a folder, and videos to request posters of. */
function scenario(make: PosterMaker, folder = temporaryFolder()) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const posters = path.join(folder, 'posters');
  const disk = { hasRoom: true };
  const cache = new PosterCache({
    folder: posters,
    make,
    clock,
    stop: stop.signal,
    hasRoom: () => Promise.resolve(disk.hasRoom),
  });
  const video = (sha256: string) => {
    const file = path.join(folder, `${sha256}.mp4`);
    writeFileSync(file, 'a film');
    return { path: file, sha256 };
  };
  return { folder, posters, clock, stop, disk, cache, video };
}

/** A maker that ends only when it is aborted. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

test('a poster is made once, on the first request, and kept after its video is gone', async () => {
  let count = 0;
  const { cache, posters, ...rig } = scenario(() => {
    count += 1;
    return Promise.resolve(made);
  });
  const video = rig.video('aa');

  const [first, second] = await Promise.all([cache.of(video), cache.of(video)]);
  rmSync(video.path);
  const later = await cache.of(video);

  expect(count).toBe(1);
  expect(new Set([first, second, later])).toEqual(new Set([path.join(posters, 'aa.jpg')]));
  expect(readFileSync(first ?? '', 'utf8')).toBe('jpeg');
  expect(readdirSync(posters)).toEqual(['aa.jpg']);
});

test('posters are made one after the other, in the order of the requests', async () => {
  let busy = 0;
  let most = 0;
  const order: string[] = [];
  const { cache, video } = scenario(async (file) => {
    order.push(path.parse(file).name);
    busy += 1;
    most = Math.max(most, busy);
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    return made;
  });
  // Many, since the duration of a disk read must not decide the order.
  const names = Array.from({ length: 200 }, (_, index) => String(index));
  const videos = names.map(video);
  await Promise.all(videos.map((each) => cache.of(each)));
  expect(most).toBe(1);
  expect(order).toEqual(names);
});

test('a poster that exists does not wait for one that is being made', async () => {
  const { cache, video, stop } = scenario((file, signal) =>
    file.includes('slow') ? untilAborted(signal) : Promise.resolve(made),
  );
  const existing = video('existing');
  await cache.of(existing);
  const slow = cache.of(video('slow'));
  expect(await cache.of(existing)).not.toBeNull();
  stop.abort();
  expect(await slow).toBeNull();
});

test('a video that no poster can be made of is not tried twice, and blocks no other', async () => {
  const tried: string[] = [];
  const { cache, video } = scenario((file) => {
    tried.push(path.basename(file));
    return Promise.resolve(file.includes('bad') ? { kind: 'impossible' } : made);
  });
  const bad = video('bad');
  const [none, one] = await Promise.all([cache.of(bad), cache.of(video('good'))]);
  expect(none).toBeNull();
  expect(one).not.toBeNull();
  expect(await cache.of(bad)).toBeNull();
  expect(tried).toEqual(['bad.mp4', 'good.mp4']);
});

// abuse.md 31
test('a video that killed the decoder is not tried again, even after a restart', async () => {
  const tried: string[] = [];
  const make: PosterMaker = (file) => {
    tried.push(path.basename(file));
    return Promise.resolve({ kind: 'killed' });
  };
  const first = scenario(make);
  const video = first.video('bomb');
  expect(await first.cache.of(video)).toBeNull();
  const restarted = scenario(make, first.folder);
  expect(await restarted.cache.of(video)).toBeNull();
  expect(tried).toEqual(['bomb.mp4']);
});

test('a decoder that never answers is aborted, and tried again after a restart', async () => {
  const begun = Promise.withResolvers<undefined>();
  const make: PosterMaker = (file, signal) => {
    if (!file.includes('stuck')) return Promise.resolve(made);
    begun.resolve(undefined);
    return untilAborted(signal);
  };
  const { cache, video, clock, folder } = scenario(make);
  const stuck = cache.of(video('stuck'));
  await begun.promise;
  const next = cache.of(video('next'));
  await clock.advance(120_000);
  expect(await stuck).toBeNull();
  expect(await next).not.toBeNull();
  const restarted = scenario(() => Promise.resolve(made), folder);
  expect(await restarted.cache.of(video('stuck'))).not.toBeNull();
});

test('a missing video that never had a poster has none', async () => {
  const { cache } = scenario(() => Promise.resolve(made));
  expect(await cache.of({ path: '/nowhere/film.mp4', sha256: 'aa' })).toBeNull();
});

// abuse.md 50
test('no poster is made on a disk that is nearly full, until it has space again', async () => {
  const { cache, disk, video } = scenario(() => Promise.resolve(made));
  disk.hasRoom = false;
  expect(await cache.of(video('aa'))).toBeNull();
  disk.hasRoom = true;
  expect(await cache.of(video('aa'))).not.toBeNull();
});
