import { type Page, pagesOf } from './pages.ts';
import type { Transition } from './scene-schema.ts';
import type { Storyboard } from './storyboard.ts';

/**
 * When a page is shown, counted in frames. It begins to cover the page before it at `first`; until
 * the transition ends, both are seen.
 */
export interface SceneTiming {
  readonly page: Page;
  readonly first: number;
  readonly frames: number;
  /** From the previous page. */
  readonly transition: Transition;
}

/** The consecutive pages, rounded to whole frames, each at least one frame long. */
export function sceneTimings(storyboard: Storyboard): SceneTiming[] {
  const { fps } = storyboard;
  let seconds = 0;
  let first = 0;
  let previous: Page | undefined;
  return pagesOf(storyboard).map((page) => {
    seconds += page.seconds;
    const end = Math.max(first + 1, Math.round(seconds * fps));
    const transition = previous === undefined ? 'none' : transitionOf(page, previous);
    const timing: SceneTiming = { page, first, frames: end - first, transition };
    previous = page;
    first = end;
    return timing;
  });
}

/** When pages begin to cover the ones before them, in seconds from the first frame. */
export function cutsOf(storyboard: Storyboard): number[] {
  return sceneTimings(storyboard)
    .slice(1)
    .map(({ first }) => first / storyboard.fps);
}

/** Pages of one scene fade into each other. */
function transitionOf({ scene, index }: Page, previous: Page): Transition {
  return index === previous.index ? 'fade' : scene.transition;
}
