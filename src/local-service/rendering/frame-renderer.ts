import type { Canvas } from '@napi-rs/canvas';
import { captionAt, captionsOf, type ShownCaption } from './captions/caption-track.ts';
import { easeInOut } from './easing.ts';
import { registerFonts } from './fonts.ts';
import { FrameBuffer } from './frame-buffer.ts';
import { coverOf } from './image-limits.ts';
import type { DecodeImage } from './image-source.ts';
import { drawOverlap, drawPage, type Overlap, type PageAt } from './page-transition.ts';
import { clipOpener, type OpenClip } from './media/clip-source.ts';
import { type Page, textOf } from './pages.ts';
import type { Box } from './layout-context.ts';
import { layOut } from './scenes/lay-out.ts';
import type { SceneDrawing } from './scenes/scene-drawing.ts';
import { setUpStage, type Stage } from './stage.ts';
import type { Storyboard } from './storyboard.ts';
import { pictureSize } from './storyboard.ts';
import type { SceneTiming } from './timeline.ts';
import { sceneTimings } from './timeline.ts';

/** Of the page that covers another one; both are seen meanwhile. */
const OVERLAP_SECONDS = 0.4;
const REDUCED_OVERLAP_SECONDS = 0.3;
/** A page shows its text by then. */
const SETTLED_SECONDS = 1.5;
/** How much text counts as much as a picture, for the poster, in characters. */
const PICTURE_WEIGHT = 60;

/** A drawn frame. */
export interface Picture {
  canvas: Canvas;
  /** The part that differs from the previously drawn frame; `undefined` if none does. */
  changed: Box | undefined;
}

/** The pages of an overlap, before they are laid out. */
interface OverlapAt extends Pick<Overlap, 'passed' | 'transition'> {
  readonly under: number;
  readonly over: number;
}

/** Draws the frames of a storyboard, in any order. The same frame always has the same pixels. */
export class FrameRenderer {
  readonly size: { width: number; height: number };
  readonly frames: number;
  readonly #storyboard: Storyboard;
  readonly #decodeImage: DecodeImage;
  readonly #openClip: OpenClip;
  readonly #timings: readonly SceneTiming[];
  readonly #captions: readonly ShownCaption[];
  #stage: Promise<Stage> | undefined;
  readonly #frameBuffer: FrameBuffer;
  /** By page: the layouts of the current and the previous one. */
  readonly #drawings = new Map<number, SceneDrawing>();

  /** @param openClip none when omitted */
  constructor(storyboard: Storyboard, decodeImage: DecodeImage, openClip = clipOpener({})) {
    registerFonts();
    this.#storyboard = storyboard;
    this.#decodeImage = decodeImage;
    this.#openClip = openClip;
    this.#timings = sceneTimings(storyboard);
    this.size = pictureSize(storyboard);
    this.frames = this.#timings.reduce((sum, timing) => sum + timing.frames, 0);
    this.#captions = captionsOf(storyboard, this.frames);
    this.#frameBuffer = new FrameBuffer(this.size.width, this.size.height);
  }

  /**
   * The frame that represents the video best: with the most text, or a picture where none is behind
   * the text, fully visible.
   */
  get posterFrame(): number {
    const picture = coverOf(this.#storyboard) === undefined ? PICTURE_WEIGHT : 0;
    const weightOf = ({ page: { scene } }: SceneTiming) =>
      scene.kind === 'image' ? picture : textOf(scene).trim().length;
    const fullest = this.#timings.reduce((best, timing) =>
      weightOf(timing) > weightOf(best) ? timing : best,
    );
    const last = fullest.first + fullest.frames - 1;
    const settled = fullest.first + SETTLED_SECONDS * this.#storyboard.fps;
    // With a caption, if the page has one.
    for (let frame = last; frame >= settled; frame--) {
      if (captionAt(this.#captions, frame)) return frame;
    }
    return last;
  }

  /**
   * Draws a frame. The next call draws to the same canvas: await this one and use its picture
   * first. An image is decoded with the first frame of its scene and freed at once, so at most one is
   * in memory.
   *
   * @throws {ImageUnreadableError}
   */
  async draw(frame: number): Promise<Picture> {
    const found = this.#timings.findIndex(({ first, frames }) => frame < first + frames);
    const index = found < 0 ? this.#timings.length - 1 : found;
    const stage = await this.#stageOf();
    const over = this.#overlapAt(index, frame);
    this.#dropOthers(new Set([index, over?.under, over?.over]));
    const repeats = over !== undefined && over.over < over.under;
    if (repeats) await stage.prepareOpening();
    const pages = over === undefined ? [index] : repeats ? [over.under] : [over.under, over.over];
    await stage.prepare(pages, frame / this.#storyboard.fps);
    const changed =
      over === undefined
        ? await this.#drawOne(frame, stage, index)
        : await this.#drawTransition(frame, stage, over);
    return { canvas: this.#frameBuffer.canvas, changed };
  }

  /** The two pages that a frame shows, if it shows two. */
  #overlapAt(index: number, frame: number): OverlapAt | undefined {
    const { fps, loop } = this.#storyboard;
    const timing = this.#timings[index];
    const before = this.#timings[index - 1];
    if (!timing) return undefined;
    if (before && timing.transition !== 'none') {
      const frames = this.#overlapFrames(timing, before);
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

  /** Of a page that covers the one before it. */
  #overlapFrames(timing: SceneTiming, before: SceneTiming): number {
    const { fps, motion } = this.#storyboard;
    const most = motion === 'reduced' ? REDUCED_OVERLAP_SECONDS : OVERLAP_SECONDS;
    return Math.min(most * fps, timing.frames / 2, before.frames / 2);
  }

  async #drawOne(frame: number, stage: Stage, index: number): Promise<Box | undefined> {
    const page = await this.#pageAt(index, frame);
    return this.#frameBuffer.show((list) => {
      drawPage(list, stage, page, frame / this.#storyboard.fps);
      stage.drawFront(list, frame);
    });
  }

  async #drawTransition(
    frame: number,
    stage: Stage,
    { under, over, passed, transition }: OverlapAt,
  ): Promise<Box | undefined> {
    // A video that repeats ends as it begins.
    const repeats = over < under;
    const overlap: Overlap = {
      under: await this.#pageAt(under, frame),
      over: await this.#pageAt(over, repeats ? 0 : frame),
      passed,
      transition,
      repeats,
      seconds: frame / this.#storyboard.fps,
    };
    return this.#frameBuffer.show((list) => {
      drawOverlap(list, stage, overlap);
      stage.drawFront(list, frame);
    });
  }

  async #pageAt(index: number, frame: number): Promise<PageAt> {
    const timing = this.#timings[index];
    if (!timing) throw new RangeError(`There is no page ${index}.`);
    const before = this.#timings[index - 1];
    const { fps, motion } = this.#storyboard;
    const seconds = (frame - timing.first) / fps;
    // Feeds show the first frame, so a video begins with a finished picture. A page that pushes, wipes
    // or cuts the other one away is complete, so that no frame is empty.
    const moves = before && timing.transition === 'fade' && motion === 'full';
    // Most of the text before it has left by then.
    const entered = moves ? seconds - this.#overlapFrames(timing, before) / 4 / fps : Infinity;
    const drawing = await this.#drawing(index, timing.page);
    return { index, drawing, moment: { seconds, length: timing.frames / fps, entered } };
  }

  async #drawing(index: number, page: Page): Promise<SceneDrawing> {
    const cached = this.#drawings.get(index);
    if (cached) return cached;
    const drawing = await this.#layOut(index, page);
    this.#drawings.set(index, drawing);
    return drawing;
  }

  async #layOut(index: number, page: Page): Promise<SceneDrawing> {
    const { scene } = page;
    const stage = await this.#stageOf();
    if (scene.kind === 'image') return layOut(page, stage.fullLayoutOf(index));
    return stage.readable(layOut(page, stage.layoutOf(index)), index);
  }

  /** Ends the decoders of clips. */
  async close(): Promise<void> {
    const stage = await this.#stage?.catch(() => undefined);
    await stage?.prepare([], 0);
  }

  #stageOf(): Promise<Stage> {
    const sources = { decodeImage: this.#decodeImage, openClip: this.#openClip };
    this.#stage ??= setUpStage(this.#storyboard, this.#timings, sources);
    return this.#stage;
  }

  #dropOthers(shown: ReadonlySet<number | undefined>): void {
    for (const index of this.#drawings.keys()) {
      if (!shown.has(index)) this.#drawings.delete(index);
    }
  }
}
