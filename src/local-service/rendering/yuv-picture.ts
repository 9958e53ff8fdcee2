import type { Canvas } from '@napi-rs/canvas';
import type { Box } from './layout-context.ts';

/**
 * Zero of luma (16) and chroma (128), plus a half for rounding. Chroma is the sum of four pixels.
 */
const LUMA_OFFSET = (16 << 16) + (1 << 15);
const CHROMA_OFFSET = (128 << 18) + (1 << 17);

/**
 * Converts drawn pictures to the YCbCr planes that the encoder takes (I420, BT.709, limited range).
 *
 * The encoder's own conversion always uses BT.601, which shifts saturated colours in HD videos, and
 * converts whole pictures. This one skips what did not change.
 */
export class YuvPicture {
  /** Y at full size, then Cb and Cr at half the width and height. */
  readonly planes: Uint8Array;
  readonly #width: number;
  readonly #height: number;

  /** @param width in pixels, even; @param height in pixels, even */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.planes = new Uint8Array((width * height * 3) / 2);
  }

  /**
   * Converts a part of a canvas whose pixels are opaque.
   *
   * @param changed whole pixels, inside the canvas
   */
  update(canvas: Canvas, changed: Box): void {
    // Two rows and two columns share their chroma.
    const x = changed.x & ~1;
    const y = changed.y & ~1;
    const width = (changed.x + changed.width + 1 - x) & ~1;
    const height = (changed.y + changed.height + 1 - y) & ~1;
    const { buffer } = canvas.getContext('2d').getImageData(x, y, width, height).data;
    const pixels = new Int32Array(buffer);
    for (let row = 0; row < height; row += 2) {
      this.#convertPair(pixels.subarray(row * width, (row + 2) * width), x, y + row);
    }
    // Frees the pixels: the garbage collector does not count these megabytes per frame, and writing
    // to new memory costs many times more than the copy.
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }

  /**
   * Converts `pixels`, two rows, into the rows `y` and `y + 1` from the column `x` on. A pixel is
   * one number, with alpha in the highest and red in the lowest byte: four reads instead of twelve.
   * Coefficients are those of BT.709 × 2¹⁶.
   */
  #convertPair(pixels: Int32Array, x: number, y: number): void {
    const { planes } = this;
    const width = this.#width;
    const area = width * this.#height;
    const end = pixels.length / 2;
    let upper = 0;
    let lower = end;
    let luma = y * width + x;
    let cb = area + (y * width) / 4 + x / 2;
    let cr = cb + area / 4;
    while (upper < end) {
      const a = pixels[upper] ?? 0;
      const b = pixels[upper + 1] ?? 0;
      const c = pixels[lower] ?? 0;
      const d = pixels[lower + 1] ?? 0;
      planes[luma] = lumaOf(a);
      planes[luma + 1] = lumaOf(b);
      planes[luma + width] = lumaOf(c);
      planes[luma + width + 1] = lumaOf(d);
      // One number contains the sums of both the red and the blue bytes.
      const both = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff);
      const red = both & 0xffff;
      const blue = both >>> 16;
      const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
      planes[cb++] = (-6596 * red - 22189 * green + 28784 * blue + CHROMA_OFFSET) >> 18;
      planes[cr++] = (28784 * red - 26145 * green - 2639 * blue + CHROMA_OFFSET) >> 18;
      upper += 2;
      lower += 2;
      luma += 2;
    }
  }
}

function lumaOf(pixel: number): number {
  const red = pixel & 255;
  const green = (pixel >> 8) & 255;
  const blue = (pixel >> 16) & 255;
  return (11966 * red + 40254 * green + 4064 * blue + LUMA_OFFSET) >> 16;
}
