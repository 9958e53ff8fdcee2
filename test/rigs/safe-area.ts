/** Where text of a video may be, in numbers that the renderer does not know. */

/** Of the frame, which apps cover or players cut off: left, right, top, bottom. */
const MARGINS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  '16:9': [0.05, 0.05, 0.05, 0.05],
  '1:1': [0.07, 0.07, 0.07, 0.07],
  '4:5': [0.07, 0.07, 0.07, 0.07],
  '9:16': [0.06, 0.14, 0.14, 0.25],
};

/** In pixels. */
export function safeArea({ width, height }: { width: number; height: number }) {
  const aspect = Object.keys(MARGINS).find((name) => {
    const [across = 1, down = 1] = name.split(':').map(Number);
    return Math.abs(across / down - width / height) < 0.01;
  });
  const [left, right, top, bottom] = MARGINS[aspect!]!;
  // Whole pixels inside of it.
  const [x, y] = [Math.ceil(width * left), Math.ceil(height * top)];
  return {
    x,
    y,
    width: Math.floor(width * (1 - right)) - x,
    height: Math.floor(height * (1 - bottom)) - y,
  };
}
