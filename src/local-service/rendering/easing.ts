/** Maps 0–1 to 0–1. Values outside are clamped first. */
export type Easing = (x: number) => number;

const clamp = (x: number) => Math.min(1, Math.max(0, x));

/** For elements that appear. */
export const easeOut: Easing = (x) => 1 - (1 - clamp(x)) ** 4;

/** For elements that disappear. */
export const easeIn: Easing = (x) => clamp(x) ** 3;

/** For elements that move from one position to another. */
export const easeInOut: Easing = (x) => {
  const t = clamp(x);
  return t < 0.5 ? 8 * t ** 4 : 1 - 8 * (1 - t) ** 4;
};

export const linear: Easing = clamp;
