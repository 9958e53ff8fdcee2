/** Maps 0–1 to 0–1. Values outside are clamped first. */
export type Easing = (x: number) => number;

const clamp = (x: number) => Math.min(1, Math.max(0, x));

/** For what appears. */
export const easeOut: Easing = (x) => 1 - (1 - clamp(x)) ** 4;

/** For what disappears. */
export const easeIn: Easing = (x) => clamp(x) ** 3;

/** For what moves from one place to another. */
export const easeInOut: Easing = (x) => {
  const t = clamp(x);
  return t < 0.5 ? 8 * t ** 4 : 1 - 8 * (1 - t) ** 4;
};

export const linear: Easing = clamp;
