import type { Storyboard, Transition } from './storyboard.ts';
import { secondsOf } from './storyboard.ts';

/** When a scene is shown, counted in frames. */
export interface SceneTiming {
  /** Index of the scene. */
  scene: number;
  first: number;
  frames: number;
  /** From the previous scene. */
  transition: Transition;
  /** To the next scene; the last scene fades out. */
  next: Transition;
}

/** The consecutive scenes, rounded to whole frames, each at least one frame long. */
export function sceneTimings(storyboard: Storyboard): SceneTiming[] {
  const { scenes, fps } = storyboard;
  let seconds = 0;
  let first = 0;
  return secondsOf(storyboard).map((length, index) => {
    seconds += length;
    const end = Math.max(first + 1, Math.round(seconds * fps));
    const timing: SceneTiming = {
      scene: index,
      first,
      frames: end - first,
      transition: index === 0 ? 'none' : (scenes[index]?.transition ?? 'none'),
      next: scenes[index + 1]?.transition ?? 'fade',
    };
    first = end;
    return timing;
  });
}
