/** Converts the frames of a clip to the colours of a canvas. */
import type { Canvas } from '@napi-rs/canvas';
import type { VideoFrame } from '@napi-rs/webcodecs';
import { MediaUnreadableError } from './media-error.ts';

/** What a file says of its colours; the fields that matter. */
export interface ClipColours {
  readonly matrix?: string | null | undefined;
  readonly fullRange?: boolean | null | undefined;
}

/** Of luma, as ITU-R BT.601 and BT.709 have them: the parts of red and of blue. */
const WEIGHTS = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722] } as const;
/** Transfer functions of HDR. */
const HDR = ['pq', 'hlg'];
export const HAS_HDR = 'has HDR colours; only SDR can be shown';
/** From this many rows on, frames that do not say so have the colours of HD. */
const HD_ROWS = 720;

/** Planes of these formats: the shift from luma's to chroma's columns and rows, and the bits. */
const FORMATS: Readonly<Record<string, readonly [x: number, y: number, bits: number]>> = {
  I420: [1, 1, 8],
  I422: [1, 0, 8],
  I444: [0, 0, 8],
  I420P10: [1, 1, 10],
  I422P10: [1, 0, 10],
  I444P10: [0, 0, 10],
};

/**
 * The decoder's own conversion always uses BT.601, which shifts the colours of HD. Buffers are kept
 * between frames: the garbage collector does not count their megabytes.
 */
export class FramePixels {
  readonly #colours: ClipColours;
  #planes = new Uint8Array(0);
  #image: ReturnType<CanvasContext['createImageData']> | undefined;

  constructor(colours: ClipColours = {}) {
    this.#colours = colours;
  }

  /** @param canvas of the frame's size */
  async put(frame: VideoFrame, canvas: Canvas): Promise<void> {
    if (HDR.includes(frame.colorSpace.transfer ?? '')) throw new MediaUnreadableError(HAS_HDR);
    const format = FORMATS[frame.format ?? ''];
    if (format === undefined) {
      throw new MediaUnreadableError(`has pictures of the format ${frame.format}`);
    }
    const { width, height } = canvas;
    const size = frame.allocationSize();
    if (this.#planes.length !== size) this.#planes = new Uint8Array(size);
    const layout = await frame.copyTo(this.#planes);
    const [x, y, bits] = format;
    const planes = layout.map(({ offset, stride }) => ({ offset, stride }));
    const [luma, cb, cr] = bits === 8 ? planes : narrowed(this.#planes, planes, bits);
    if (!luma || !cb || !cr) throw new MediaUnreadableError('has pictures without colours');
    const context = canvas.getContext('2d');
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = context.createImageData(width, height);
    }
    const pixels = new Int32Array(this.#image.data.buffer, this.#image.data.byteOffset);
    const tables = tablesOf(this.#coloursOf(frame), height);
    convert({ data: this.#planes, luma, cb, cr, x, y }, { width, height, pixels }, tables);
    context.putImageData(this.#image, 0, 0);
  }

  /** Pictures say it more often than their container does. */
  #coloursOf({ colorSpace }: VideoFrame): ClipColours {
    return {
      matrix: colorSpace.matrix ?? this.#colours.matrix,
      fullRange: colorSpace.fullRange === true || this.#colours.fullRange === true,
    };
  }
}

type CanvasContext = ReturnType<Canvas['getContext']>;

/** Where a plane begins and how many bytes its rows have. */
interface Plane {
  readonly offset: number;
  readonly stride: number;
}

/** Keeps the higher 8 bits of each sample, in place. */
function narrowed(data: Uint8Array, planes: readonly Plane[], bits: number): Plane[] {
  for (let i = 0; 2 * i + 1 < data.length; i++) {
    data[i] = ((data[2 * i] ?? 0) | ((data[2 * i + 1] ?? 0) << 8)) >> (bits - 8);
  }
  return planes.map(({ offset, stride }) => ({ offset: offset / 2, stride: stride / 2 }));
}

/** What each value of luma and chroma adds to red, green and blue, × 2¹⁶. */
interface Tables {
  readonly luma: Int32Array;
  readonly redOfCr: Int32Array;
  readonly greenOfCr: Int32Array;
  readonly greenOfCb: Int32Array;
  readonly blueOfCb: Int32Array;
}

const known = new Map<string, Tables>();

function tablesOf({ matrix, fullRange }: ClipColours, rows: number): Tables {
  const isHd = matrix === 'bt709' || (!matrix && rows >= HD_ROWS);
  const key = `${isHd} ${fullRange === true}`;
  const tables = known.get(key) ?? newTables(WEIGHTS[isHd ? 'bt709' : 'bt601'], fullRange === true);
  known.set(key, tables);
  return tables;
}

function newTables([red, blue]: readonly [number, number], isFull: boolean): Tables {
  const green = 1 - red - blue;
  const chroma = isFull ? 1 : 255 / 224;
  const table = (factor: number, zero: number, round = 0) =>
    Int32Array.from({ length: 256 }, (_, value) =>
      Math.round((value - zero) * factor * 65_536 + round),
    );
  return {
    luma: isFull ? table(1, 0, 32_768) : table(255 / 219, 16, 32_768),
    redOfCr: table(2 * (1 - red) * chroma, 128),
    greenOfCr: table((-2 * (1 - red) * red * chroma) / green, 128),
    greenOfCb: table((-2 * (1 - blue) * blue * chroma) / green, 128),
    blueOfCb: table(2 * (1 - blue) * chroma, 128),
  };
}

interface Source {
  readonly data: Uint8Array;
  readonly luma: Plane;
  readonly cb: Plane;
  readonly cr: Plane;
  readonly x: number;
  readonly y: number;
}

interface Target {
  readonly width: number;
  readonly height: number;
  /** One number each, with alpha in the highest and red in the lowest byte. */
  readonly pixels: Int32Array;
}

function convert({ data, luma, cb, cr, x, y }: Source, target: Target, tables: Tables): void {
  const { width, height, pixels } = target;
  const { luma: ofLuma, redOfCr, greenOfCr, greenOfCb, blueOfCb } = tables;
  for (let row = 0; row < height; row++) {
    const lumaAt = luma.offset + row * luma.stride;
    const cbAt = cb.offset + (row >> y) * cb.stride;
    const crAt = cr.offset + (row >> y) * cr.stride;
    let at = row * width;
    for (let column = 0; column < width; column++) {
      const level = ofLuma[data[lumaAt + column] ?? 0] ?? 0;
      const blueness = data[cbAt + (column >> x)] ?? 0;
      const redness = data[crAt + (column >> x)] ?? 0;
      let r = (level + (redOfCr[redness] ?? 0)) >> 16;
      let g = (level + (greenOfCr[redness] ?? 0) + (greenOfCb[blueness] ?? 0)) >> 16;
      let b = (level + (blueOfCb[blueness] ?? 0)) >> 16;
      // Most colours are within the range, so one test spares six.
      if (((r | g | b) & ~255) !== 0) {
        r = r < 0 ? 0 : r > 255 ? 255 : r;
        g = g < 0 ? 0 : g > 255 ? 255 : g;
        b = b < 0 ? 0 : b > 255 ? 255 : b;
      }
      pixels[at++] = -16_777_216 | (b << 16) | (g << 8) | r;
    }
  }
}
