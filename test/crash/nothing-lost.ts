import { expect } from 'vitest';
import type { World } from './world.ts';

const IDLE_STATES = ['done', 'uncertain'];

/** Holds after every kill. Returns how many jobs are unfinished. */
export function assertNothingLost(world: World, after: string): number {
  const { integrity, jobs } = world.readDatabase();
  expect(integrity, after).toBe('ok');
  const titles = new Set(jobs.map(({ title }) => title));
  expect(titles.size, `a row twice, after ${after}`).toBe(jobs.length);
  expect(
    [...world.confirmed].filter((title) => !titles.has(title)),
    after,
  ).toEqual([]);
  const sentTwice = [...world.service.posts].filter(([, posts]) => posts > 1);
  expect(sentTwice, `sent twice, after ${after}`).toEqual([]);
  return jobs.filter(({ state }) => !IDLE_STATES.includes(state)).length;
}

/** Holds once no job changes any more. */
export function assertAllAccountedFor(world: World, at: string): void {
  const { service } = world;
  const { jobs } = world.readDatabase();
  const done = jobs.filter(({ state }) => state === 'done');
  const uncertain = jobs.filter(({ state }) => state === 'uncertain');
  expect(done.length + uncertain.length, at).toBe(jobs.length);
  for (const { title, remoteId, sha256 } of done) {
    expect(remoteId, at).toBe(service.accepted.get(title));
    expect(sha256, at).toBe(service.sha256Of(title));
  }
  // Any other file would be a video that was downloaded twice.
  const videos = world.files().filter((file) => file.endsWith('.mp4'));
  expect(videos.toSorted(), at).toEqual(done.map(({ file }) => file).toSorted());
  const known = new Set(jobs.map(({ title }) => title));
  expect(
    [...service.accepted.keys()].filter((title) => !known.has(title)),
    at,
  ).toEqual([]);
  expect(world.quota(), at).toEqual({ charged: done.length, held: uncertain.length });
}
