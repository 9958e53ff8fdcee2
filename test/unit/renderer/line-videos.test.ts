import { expect, it } from 'vitest';
import type { Job, LineVideo } from '../../../src/contract/job.ts';
import { lineState, wholeLine } from '../../../src/renderer/formatting/line-videos.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { aJob } from '../../rigs/job-builder.ts';

/** A line of videos with these values. */
function lineOf(...videos: readonly Partial<LineVideo>[]): Job {
  const all = videos.map((video, at) => aJob({ id: String(at), ...video }));
  return { ...(all[0] ?? aJob()), videos: all };
}

const at = (savedAt: number | null) => ({ sendAt: null, readyAt: null, savedAt });
const half = { fraction: 0.5, estimated: false };

it('shows when the last video of a line is saved, if that is known of all', () => {
  const line = lineOf({ forecast: at(1), savedAt: 1 }, { forecast: at(3), savedAt: 2 });
  expect(wholeLine(line)).toMatchObject({ forecast: at(3), savedAt: 2 });
  expect(wholeLine(lineOf({ forecast: at(1) }, { forecast: at(null) })).forecast).toEqual(at(null));
});

it('shows the share of all videos, if it is known of all', () => {
  const line = lineOf({ progress: half }, { progress: { fraction: 1, estimated: true } });
  expect(wholeLine(line).progress).toEqual({ fraction: 0.75, estimated: true });
  expect(wholeLine(lineOf({ progress: half }, { progress: null })).progress).toBeNull();
});

it('counts the videos in each state if they differ', () => {
  const states = (['rendering', 'ready', 'rendering'] as const).map((state) => ({ state }));
  expect(lineState(lineOf(...states), en)).toBe(
    `${en.states.rendering} (2), ${en.states.ready} (1)`,
  );
  expect(lineState(lineOf({ state: 'ready' }, { state: 'ready' }), en)).toBe(en.states.ready);
});
