/** Easing curves: from 0–1 (values outside are held at the ends) to 0–1. */
export type Easing = (x: number) => number;

const within = (x: number) => Math.min(1, Math.max(0, x));

/** Arrives fast and settles softly: for things that appear. */
export const easeOut: Easing = (x) => 1 - (1 - within(x)) ** 4;

/** Leaves gently and gathers speed: for things that go. */
export const easeIn: Easing = (x) => within(x) ** 3;

/** Starts and ends softly: for things that move from one place to another. */
export const easeInOut: Easing = (x) => {
  const t = within(x);
  return t < 0.5 ? 8 * t ** 4 : 1 - 8 * (1 - t) ** 4;
};

/** Straight, but held at the ends. */
export const steady: Easing = within;
