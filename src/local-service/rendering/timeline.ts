import type { Storyboard, Transition } from './storyboard.ts';
import { secondsOf } from './storyboard.ts';

/** A scene's place in the video, in frames. */
export interface SceneTiming {
  /** Index of the scene. */
  scene: number;
  first: number;
  frames: number;
  /** How it takes over from the scene before; the first scene has none. */
  transition: Transition;
  /** How the next scene takes over; the last scene fades out. */
  next: Transition;
}

/** Lays the scenes end to end on the frame grid; every scene has at least one frame. */
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
