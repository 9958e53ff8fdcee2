/** How much a frame shows: an empty or half-faded one shows little. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';

/** Width and height that frames are compared at, in pixels: enough for shapes and lines of text. */
const SIDE = 96;

/**
 * The mean difference of brightness between neighbouring pixels, 0 to 255. Edges fade with their
 * picture, so of two moments of a scene the fully visible one has more.
 */
export function contentOf(picture: Canvas): number {
  const canvas = createCanvas(SIDE, SIDE);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0, SIDE, SIDE);
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  const brightness = (x: number, y: number): number => {
    const at = (y * SIDE + x) * 4;
    // The weights of ITU-R BT.709.
    return 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
  };
  let sum = 0;
  for (let y = 0; y < SIDE - 1; y += 1) {
    for (let x = 0; x < SIDE - 1; x += 1) {
      const here = brightness(x, y);
      sum += Math.abs(brightness(x + 1, y) - here) + Math.abs(brightness(x, y + 1) - here);
    }
  }
  return sum / (2 * (SIDE - 1) ** 2);
}
