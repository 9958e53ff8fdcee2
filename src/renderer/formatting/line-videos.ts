/** Lines of a list that stand for several videos of a row (`Job.videos`). */
import type { Job, LineVideo } from '../../contract/job.ts';
import type { Texts } from '../texts/en.ts';
import { stateWord } from './state-word.ts';

/** The videos that a line stands for. */
export function videosOfLine(job: Job): readonly LineVideo[] {
  return job.videos ?? [job];
}

/** A line's job with what is true of all its videos: their progress, and the times of the last. */
export function wholeLine(job: Job): Job {
  if (job.videos === undefined) return job;
  const { videos } = job;
  const fractions = videos.flatMap(({ progress }) => progress?.fraction ?? []);
  const sum = fractions.reduce((total, fraction) => total + fraction, 0);
  return {
    ...job,
    transfer: null,
    progress:
      fractions.length < videos.length
        ? null
        : {
            fraction: sum / videos.length,
            estimated: videos.some(({ progress }) => progress?.estimated === true),
          },
    savedAt: latest(videos.map(({ savedAt }) => savedAt)),
    forecast: {
      sendAt: latest(videos.map(({ forecast }) => forecast.sendAt)),
      readyAt: latest(videos.map(({ forecast }) => forecast.readyAt)),
      savedAt: latest(videos.map(({ forecast }) => forecast.savedAt)),
    },
  };
}

/** The word for the state of a line's videos: “Rendering”, or “Rendering (2), Ready (1)”. */
export function lineState(job: Job, texts: Texts, isHere = false): string {
  const byState = Map.groupBy(videosOfLine(job), ({ state }) => state);
  if (byState.size === 1) return stateWord(job, texts, isHere);
  return Array.from(
    byState,
    ([state, { length }]) => `${stateWord({ ...job, state }, texts, isHere)} (${length})`,
  ).join(', ');
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce(
    (last, time) => (last === null || time === null ? null : Math.max(last, time)),
    -Infinity,
  );
}
