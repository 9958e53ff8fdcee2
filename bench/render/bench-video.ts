import { videoBitrate } from '../../src/local-service/rendering/bitrate.ts';
import type { Storyboard } from '../../src/local-service/rendering/storyboard.ts';
import {
  costOf,
  pictureSize,
  storyboardSchema,
} from '../../src/local-service/rendering/storyboard.ts';

/** The video that both renderers make. */
export interface BenchVideo {
  storyboard: Storyboard;
  width: number;
  height: number;
  fps: number;
  frames: number;
  seconds: number;
  /** Without sound, in bits per second. */
  bitrate: number;
}

/** A video of four scenes of equal length: a title, a text, a quote and a list. */
export function benchVideo(resolution: 480 | 720 | 1080, seconds: number): BenchVideo {
  const storyboard = storyboardSchema.parse({
    title: 'Launch week',
    resolution,
    fps: 30,
    duration: seconds,
    scenes: [
      {
        kind: 'title',
        text: 'Launch week begins on Monday',
        subtitle: 'Five days, five things we have wanted to show you',
        seconds: seconds / 4,
      },
      {
        kind: 'text',
        heading: 'Why now',
        text: 'We rebuilt the renderer from the ground up. It draws a minute of video in seconds.',
        seconds: seconds / 4,
      },
      {
        kind: 'quote',
        text: 'The best edit is the one nobody notices.',
        by: 'An editor',
        seconds: seconds / 4,
      },
      {
        kind: 'list',
        heading: 'What ships this week',
        items: ['Batches from a spreadsheet', 'A timeline that knows', 'Downloads that survive'],
        seconds: seconds / 4,
      },
    ],
  });
  const { frames, pixels } = costOf(storyboard);
  const { fps } = storyboard;
  return {
    storyboard,
    ...pictureSize(storyboard),
    fps,
    frames,
    seconds,
    bitrate: videoBitrate(pixels, fps),
  };
}
