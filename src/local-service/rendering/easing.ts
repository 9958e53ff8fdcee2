/** Maps 0–1 to 0–1. Values outside are clamped first. */
export type Easing = (x: number) => number;

const clamp = (x: number) => Math.min(1, Math.max(0, x));

/** CSS `cubic-bezier(x1, y1, x2, y2)`. */
function cubicBezier(x1: number, y1: number, x2: number, y2: number): Easing {
  const at = (a: number, b: number, t: number) =>
    3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3;
  return (x) => {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    // The x of a curve grows with its parameter, so halving finds it.
    let [low, high] = [0, 1];
    for (let i = 0; i < 24; i++) {
      const middle = (low + high) / 2;
      if (at(x1, x2, middle) < x) low = middle;
      else high = middle;
    }
    return at(y1, y2, (low + high) / 2);
  };
}

/** For elements that appear. */
export const easeOut: Easing = cubicBezier(0.05, 0.7, 0.1, 1);

/** For elements that move from one position to another. */
export const easeInOut: Easing = cubicBezier(0.65, 0, 0.35, 1);

export const linear: Easing = clamp;
