import { type Page, pagesOf } from './pages.ts';
import type { PageTransition } from './looks/look.ts';
import { coverOf } from './image-limits.ts';
import { LOOKS } from './looks/looks.ts';
import type { Background } from './media/media-schema.ts';
import type { PageScene } from './scene-schema.ts';
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
  readonly transition: PageTransition;
}

/** The consecutive pages, rounded to whole frames, each at least one frame long. */
export function sceneTimings(storyboard: Storyboard): SceneTiming[] {
  const { fps } = storyboard;
  let seconds = 0;
  let first = 0;
  const timings: SceneTiming[] = [];
  for (const page of pagesOf(storyboard)) {
    seconds += page.seconds;
    const end = Math.max(first + 1, Math.round(seconds * fps));
    const transition = transitionTo(page, timings.at(-1), storyboard);
    timings.push({ page, first, frames: end - first, transition });
    first = end;
  }
  return timings;
}

/** When pages begin to cover the ones before them, in seconds from the first frame. */
export function cutsOf(storyboard: Storyboard): number[] {
  return sceneTimings(storyboard)
    .slice(1)
    .map(({ first }) => first / storyboard.fps);
}

/** A clip behind consecutive scenes, which plays on from one to the next. Times are in seconds. */
export interface ClipSpan {
  readonly background: Background;
  /** The first scene, from 0. */
  readonly scene: number;
  readonly start: number;
  readonly seconds: number;
}

/** The clips of a video, in order. */
export function clipSpans(storyboard: Storyboard): ClipSpan[] {
  const { fps } = storyboard;
  const spans: ClipSpan[] = [];
  const timings = sceneTimings(storyboard);
  for (const [at, { page, first, frames }] of timings.entries()) {
    const { background } = page.scene;
    const seconds = frames / fps;
    const latest = spans.at(-1);
    if (background === undefined) continue;
    if (latest !== undefined && isSameGround(timings, at)) {
      spans[spans.length - 1] = { ...latest, seconds: latest.seconds + seconds };
    } else {
      spans.push({ background, scene: page.index, start: first / fps, seconds });
    }
  }
  return spans;
}

/** Whether a page continues the ground of the page before it: the same clip or picture, or none. */
export function isSameGround(timings: readonly SceneTiming[], at: number): boolean {
  if (at === 0) return false;
  const [before, now] = [at - 1, at].map((each) => {
    const scene = timings[each]?.page.scene;
    return JSON.stringify([scene?.background, scene?.kind === 'image' && scene.image]);
  });
  return now === before;
}

/**
 * Pages of one text fade into each other. Two neighbours never have the same of their look, and a
 * picture that was behind text is not seen twice while it comes to fill the frame.
 */
function transitionTo(
  { scene, index }: Page,
  previous: SceneTiming | undefined,
  storyboard: Storyboard,
): PageTransition {
  if (previous === undefined) return 'none';
  const { look, motion, captions } = storyboard;
  const isSameText = index === previous.page.index && scene.kind !== 'image';
  if (motion === 'reduced' || isSameText) return 'fade';
  if (scene.transition !== undefined) return scene.transition;
  const usual = LOOKS[look].transitions;
  const before = previous.page.scene;
  const isShownAgain =
    (scene.kind === 'image') !== (before.kind === 'image') &&
    pictureWith(scene, storyboard) === pictureWith(before, storyboard);
  const fits = (each: PageTransition): boolean =>
    each !== previous.transition &&
    // A page that rises would cross the captions.
    !(each === 'rise' && captions !== undefined) &&
    !(each === 'fade' && isShownAgain);
  return [...usual, 'wipe' as const, 'slide' as const].find(fits) ?? usual[0];
}

/** What a page shows, or its text stands on or beside. */
function pictureWith(scene: PageScene, storyboard: Storyboard): string | undefined {
  if (scene.kind === 'image') return scene.image;
  return scene.background === undefined ? coverOf(storyboard)?.image : undefined;
}
