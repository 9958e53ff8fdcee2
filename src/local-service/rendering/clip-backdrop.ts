/** A clip behind the text of its scenes, or beside it. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { DisplayList } from './display-list.ts';
import type { Box } from './layout-context.ts';
import type { ClipReader } from './media/clip-reader.ts';
import type { Background } from './media/media-schema.ts';
import {
  drawBlurred,
  isTreated,
  type MeasuredPicture,
  measure,
  treat,
  type Treatment,
} from './picture-backdrop.ts';

/** How a clip is shown in its part of the frame. */
export interface ClipStyle extends Treatment {
  /** The part of the frame, in pixels. */
  readonly pane: Box;
  /** What is seen after a clip that is cut. */
  readonly ground: string;
}

/** Columns of {@link unknownPicture}: a few are behind any text or logo. */
const MEASURED_COLUMNS = 240;
/** In seconds: repeated clips begin again at exactly their length. */
const TOLERANCE = 0.0005;

export class ClipBackdrop {
  readonly measured: MeasuredPicture;
  readonly #open: () => Promise<ClipReader>;
  readonly #background: Background;
  readonly #style: ClipStyle;
  /** The shown frame is on the first: another canvas is another picture to the frame buffer. */
  #canvases: [Canvas, Canvas] | undefined;
  /** Before its look's filters. */
  #plain: Canvas | undefined;
  #reader: ClipReader | undefined;
  #isOver = false;

  constructor(open: () => Promise<ClipReader>, background: Background, style: ClipStyle) {
    this.#open = open;
    this.#background = background;
    this.#style = style;
    this.measured = unknownPicture(style);
  }

  /**
   * Decodes what is seen at a time.
   * @param seconds since the clip began
   * @throws {MediaUnreadableError}
   */
  async prepare(seconds: number): Promise<void> {
    this.#reader ??= await this.#open();
    const { end } = this.#background;
    const { seconds: length } = this.#reader;
    const passed = Math.max(0, seconds);
    this.#isOver = end === 'cut' && passed > length - TOLERANCE;
    if (this.#isOver) return;
    const isNew = await this.#reader.seek(
      end === 'loop' ? (passed + TOLERANCE) % length : passed + TOLERANCE,
    );
    if (isNew) this.#show(this.#reader);
  }

  /** What was prepared last. */
  draw(list: DisplayList): void {
    const { pane, ground } = this.#style;
    if (this.#isOver) list.box(pane, ground, 1);
    else if (this.#canvases) list.image(this.#canvases[0], pane.x, pane.y, 1);
  }

  /** Ends the decoder. The next {@link prepare} starts another. */
  close(): void {
    this.#reader?.[Symbol.dispose]();
    this.#reader = undefined;
  }

  #show(reader: ClipReader): void {
    const { width, height } = this.#style.pane;
    const newCanvas = () => createCanvas(width, height);
    if (isTreated(this.#style)) this.#plain ??= newCanvas();
    const [shown, other] = (this.#canvases ??= [newCanvas(), newCanvas()]);
    this.#canvases = [other, shown];
    // The edges of a blur are not opaque, and would let an earlier frame through.
    for (const canvas of [other, this.#plain]) {
      const context = canvas?.getContext('2d');
      if (context) context.fillStyle = this.#style.ground;
      context?.fillRect(0, 0, width, height);
    }
    if (this.#plain === undefined) {
      this.#drawFitted(reader, other);
      return;
    }
    this.#drawFitted(reader, this.#plain);
    treat(this.#plain, other, this.#style);
  }

  #drawFitted(reader: ClipReader, canvas: Canvas): void {
    const wide = canvas.width / reader.width;
    const high = canvas.height / reader.height;
    const cover = Math.max(wide, high);
    if (this.#background.fit === 'contain' && wide !== high) {
      drawBlurred(canvas, (small) => this.#drawScaled(reader, small, cover / 4));
      this.#drawScaled(reader, canvas, Math.min(wide, high));
    } else {
      this.#drawScaled(reader, canvas, cover);
    }
  }

  #drawScaled(reader: ClipReader, canvas: Canvas, scale: number): void {
    const [across = 0.5, down = 0.5] = this.#background.focus
      .split(' ')
      .map((percentage) => Number.parseInt(percentage, 10) / 100);
    const width = reader.width * scale;
    const height = reader.height * scale;
    const x = (canvas.width - width) * (width < canvas.width ? 0.5 : across);
    const y = (canvas.height - height) * (height < canvas.height ? 0.5 : down);
    const context = canvas.getContext('2d');
    // Otherwise a blur would be drawn differently the next time.
    context.save();
    context.imageSmoothingQuality = scale < 0.5 ? 'high' : 'medium';
    reader.draw(context, { x, y, width, height });
    context.restore();
  }
}

/**
 * A picture that may be black or white anywhere, with its look's filters: text has its contrast on
 * every frame of a clip, which is not known before it is decoded, and so has a logo on every picture.
 */
export function unknownPicture(style: ClipStyle): MeasuredPicture {
  const [white = 1, black = 0] = ['#ffffff', '#000000'].map((colour) => {
    const [plain, treated] = [createCanvas(8, 8), createCanvas(8, 8)];
    const context = plain.getContext('2d');
    context.fillStyle = colour;
    context.fillRect(0, 0, 8, 8);
    return measure(treat(plain, treated, style), colour).luminance[0];
  });
  const luminance = Float32Array.from({ length: MEASURED_COLUMNS }, (_, column) =>
    column % 2 === 0 ? white : black,
  );
  return { width: MEASURED_COLUMNS, height: 1, luminance };
}
