import type { Canvas } from '@napi-rs/canvas';
import { Backdrop } from './backdrop.ts';
import { easeInOut } from './easing.ts';
import { registerFonts } from './fonts.ts';
import { hyphenationOf } from './hyphenation.ts';
import type { DecodeImage } from './image-source.ts';
import type { DisplayList } from './display-list.ts';
import { paletteOf } from './palette.ts';
import { layOut } from './scenes/lay-out.ts';
import { overPicture, paletteOverPicture } from './scenes/over-picture.ts';
import type { Moment, SceneDrawing } from './scenes/scene-drawing.ts';
import type { Rows } from './frame-buffer.ts';
import { FrameBuffer } from './frame-buffer.ts';
import { seedOf } from './seeded.ts';
import type { LayoutContext } from './layout-context.ts';
import { layoutContextOf, layoutOverPicture } from './layout-context.ts';
import { Logo } from './logo.ts';
import { type MeasuredPicture, PictureBackdrop } from './picture-backdrop.ts';
import { type Page, textOf } from './pages.ts';
import type { Transition } from './scene-schema.ts';
import type { Storyboard } from './storyboard.ts';
import { pictureSize } from './storyboard.ts';
import { TextLayout } from './text-layout.ts';
import type { SceneTiming } from './timeline.ts';
import { sceneTimings } from './timeline.ts';

/** Of the page that covers another one; both are seen meanwhile. */
const OVERLAP_SECONDS = 0.4;
/** How much text counts as much as a picture, for the poster, in characters. */
const PICTURE_WEIGHT = 60;

/** A drawn frame. */
export interface Picture {
  canvas: Canvas;
  /** The rows that differ from the previously drawn frame; `undefined` if none does. */
  changed: Rows | undefined;
}

/** A page at one point in time. */
interface PageAt {
  readonly drawing: SceneDrawing;
  readonly moment: Moment;
}

/** Two pages, one over the other. */
interface Overlap {
  readonly under: number;
  readonly over: number;
  /** How far the upper one has covered the other: 0–1. */
  readonly passed: number;
  readonly transition: Transition;
}

/** What every scene stands on. */
interface Stage {
  readonly layout: LayoutContext;
  readonly backdrop: Pick<Backdrop, 'draw'>;
  /** The same at the beginning, for the end of a video that repeats. */
  readonly opening: Pick<Backdrop, 'draw'>;
  /** `undefined` without a picture behind the scenes. */
  readonly measured: MeasuredPicture | undefined;
  readonly logo: Logo | undefined;
}

/** Draws the frames of a storyboard, in any order. The same frame always has the same pixels. */
export class FrameRenderer {
  readonly size: { width: number; height: number };
  readonly frames: number;
  readonly #storyboard: Storyboard;
  readonly #decodeImage: DecodeImage;
  readonly #timings: readonly SceneTiming[];
  #stage: Promise<Stage> | undefined;
  readonly #frameBuffer: FrameBuffer;
  /** By page: the layouts of the current and the previous one. */
  readonly #drawings = new Map<number, SceneDrawing>();

  constructor(storyboard: Storyboard, decodeImage: DecodeImage) {
    registerFonts();
    this.#storyboard = storyboard;
    this.#decodeImage = decodeImage;
    this.#timings = sceneTimings(storyboard);
    this.size = pictureSize(storyboard);
    this.frames = this.#timings.reduce((sum, timing) => sum + timing.frames, 0);
    this.#frameBuffer = new FrameBuffer(this.size.width, this.size.height);
  }

  /** The frame that represents the video best: with the most text, or a picture, fully visible. */
  get posterFrame(): number {
    const weightOf = ({ page: { scene } }: SceneTiming) =>
      scene.kind === 'image' ? PICTURE_WEIGHT : textOf(scene).trim().length;
    const fullest = this.#timings.reduce((best, timing) =>
      weightOf(timing) > weightOf(best) ? timing : best,
    );
    return fullest.first + fullest.frames - 1;
  }

  /**
   * Draws a frame. The next call draws to the same canvas: await this one and use its picture
   * first. An image is decoded with the first frame of its scene and freed after the layout, so at
   * most one is in memory.
   *
   * @throws {ImageUnreadableError}
   */
  async draw(frame: number): Promise<Picture> {
    const found = this.#timings.findIndex(({ first, frames }) => frame < first + frames);
    const index = found < 0 ? this.#timings.length - 1 : found;
    const stage = await (this.#stage ??= this.#setUp());
    const over = this.#overlapAt(index, frame);
    this.#dropOthers(new Set([index, over?.under, over?.over]));
    const changed =
      over === undefined
        ? await this.#drawOne(frame, stage, index)
        : await this.#drawTransition(frame, stage, over);
    return { canvas: this.#frameBuffer.canvas, changed };
  }

  /** The two pages that a frame shows, if it shows two. */
  #overlapAt(index: number, frame: number): Overlap | undefined {
    const { fps, loop } = this.#storyboard;
    const timing = this.#timings[index];
    const before = this.#timings[index - 1];
    if (!timing) return undefined;
    if (before && timing.transition !== 'none') {
      const frames = Math.min(OVERLAP_SECONDS * fps, timing.frames / 2, before.frames / 2);
      const passed = easeInOut((frame - timing.first + 1) / frames);
      if (passed < 1) {
        return { under: index - 1, over: index, passed, transition: timing.transition };
      }
    }
    if (loop && index === this.#timings.length - 1) {
      const frames = Math.min(OVERLAP_SECONDS * fps, timing.frames / 2);
      const passed = easeInOut(1 - (this.frames - 1 - frame) / frames);
      if (passed > 0) return { under: index, over: 0, passed, transition: 'fade' };
    }
    return undefined;
  }

  async #drawOne(frame: number, stage: Stage, index: number): Promise<Rows | undefined> {
    const page = await this.#pageAt(index, frame);
    return this.#frameBuffer.show((list) => {
      stage.backdrop.draw(list, frame / this.#storyboard.fps);
      page.drawing.draw(list, page.moment);
      stage.logo?.draw(list);
    });
  }

  /** The page underneath stays as it is until the other one has covered it. */
  async #drawTransition(frame: number, stage: Stage, overlap: Overlap): Promise<Rows | undefined> {
    const seconds = frame / this.#storyboard.fps;
    const { width, height } = this.size;
    const { passed, transition } = overlap;
    const under = await this.#pageAt(overlap.under, frame);
    // A video that repeats ends as it begins.
    const repeats = overlap.over < overlap.under;
    const over = await this.#pageAt(overlap.over, repeats ? 0 : frame);
    const draw = (list: DisplayList, { drawing, moment }: PageAt) => drawing.draw(list, moment);
    return this.#frameBuffer.show((list) => {
      stage.backdrop.draw(list, seconds);
      if (transition === 'slide') {
        list.shifted(-passed * width, () => draw(list, under));
        list.shifted((1 - passed) * width, () => draw(list, over));
        stage.logo?.draw(list);
        return;
      }
      draw(list, under);
      const drawOver = () => {
        if (repeats) stage.opening.draw(list, 0);
        else stage.backdrop.draw(list, seconds);
        draw(list, over);
      };
      if (transition === 'wipe') {
        const edge = Math.round(passed * width);
        list.clipped({ x: 0, y: 0, width: edge, height }, drawOver);
        const { palette, unit } = stage.layout;
        list.box({ x: edge, y: 0, width: Math.max(2, unit * 0.6), height }, palette.accent, 1);
      } else list.faded(passed, drawOver);
      stage.logo?.draw(list);
    });
  }

  async #pageAt(index: number, frame: number): Promise<PageAt> {
    const timing = this.#timings[index];
    if (!timing) throw new RangeError(`There is no page ${index}.`);
    const { fps } = this.#storyboard;
    const seconds = (frame - timing.first) / fps;
    // Feeds show the first frame, so a video begins with a finished picture. A page that pushes, wipes
    // or cuts the other one away is complete, so that no frame is empty.
    const entered = timing.transition === 'fade' ? seconds : Infinity;
    const drawing = await this.#drawing(index, timing.page);
    return { drawing, moment: { seconds, length: timing.frames / fps, entered } };
  }

  async #drawing(index: number, page: Page): Promise<SceneDrawing> {
    const cached = this.#drawings.get(index);
    if (cached) return cached;
    const drawing = await this.#layOut(page);
    this.#drawings.set(index, drawing);
    return drawing;
  }

  async #layOut(page: Page): Promise<SceneDrawing> {
    const { scene, index } = page;
    const { layout, measured } = await (this.#stage ??= this.#setUp());
    if (scene.kind !== 'image') {
      const drawing = layOut(page, layout);
      return measured === undefined ? drawing : overPicture(drawing, layout, measured);
    }
    using image = await this.#decodeImage({ image: scene.image, of: `scene ${index + 1}` });
    return layOut(page, layout, image.pixels);
  }

  async #setUp(): Promise<Stage> {
    const { picture, logo, title, fps, loop, language, theme } = this.#storyboard;
    const { width, height } = this.size;
    const palette = paletteOf(theme);
    const texts = this.#timings.map(({ page }) => textOf(page.scene));
    const textLayout = new TextLayout(await hyphenationOf(texts, language));
    const plain = layoutContextOf(width, height, palette, textLayout);
    const drawnLogo = logo === undefined ? undefined : await this.#drawLogo(logo);
    if (picture === undefined) {
      const backdrop = new Backdrop(width, height, palette, seedOf(title));
      // Each keeps one moment.
      const opening = loop ? new Backdrop(width, height, palette, seedOf(title)) : backdrop;
      return { layout: plain, backdrop, opening, measured: undefined, logo: drawnLogo };
    }
    using image = await this.#decodeImage({ image: picture, of: 'the background' });
    const backdrop = new PictureBackdrop(image.pixels, this.size, this.frames / fps);
    const colours = { ...plain, palette: paletteOverPicture(palette) };
    const layout = layoutOverPicture(colours, backdrop.textWidth);
    drawnLogo?.standOn(backdrop.measured);
    const { measured } = backdrop;
    return { layout, backdrop, opening: backdrop, measured, logo: drawnLogo };
  }

  async #drawLogo(logo: string): Promise<Logo> {
    using image = await this.#decodeImage({ image: logo, of: 'the logo' });
    return new Logo(image.pixels, this.size);
  }

  #dropOthers(shown: ReadonlySet<number | undefined>): void {
    for (const index of this.#drawings.keys()) {
      if (!shown.has(index)) this.#drawings.delete(index);
    }
  }
}
