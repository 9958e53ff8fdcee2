import type { Canvas } from '@napi-rs/canvas';
import { Backdrop } from './backdrop.ts';
import { easeIn, easeInOut } from './easing.ts';
import { registerFonts } from './fonts.ts';
import type { DecodeImage } from './image-source.ts';
import type { DisplayList } from './display-list.ts';
import { paletteOf } from './palette.ts';
import { layOut } from './scenes/lay-out.ts';
import type { SceneDrawing } from './scenes/scene-drawing.ts';
import type { Rows } from './frame-buffer.ts';
import { FrameBuffer } from './frame-buffer.ts';
import { seedOf } from './seeded.ts';
import type { LayoutContext } from './layout-context.ts';
import { layoutContextOf } from './layout-context.ts';
import type { Scene, Storyboard } from './storyboard.ts';
import { pictureSize } from './storyboard.ts';
import { TextLayout } from './text-layout.ts';
import type { SceneTiming } from './timeline.ts';
import { sceneTimings } from './timeline.ts';

const TRANSITION_SECONDS = 0.7;
const LEAVING_SECONDS = 0.35;

/** A frame as it was drawn. */
export interface Picture {
  canvas: Canvas;
  /** The rows that differ from the frame drawn before; undefined when none does. */
  changed: Rows | undefined;
}

/** A scene at one of its moments. */
interface SceneAt {
  readonly drawing: SceneDrawing;
  readonly timing: SceneTiming;
  /** Since the scene began. */
  readonly seconds: number;
}

/** A storyboard made ready to be drawn: any frame, in any order, always the same. */
export class FrameRenderer {
  readonly size: { width: number; height: number };
  readonly frames: number;
  readonly #storyboard: Storyboard;
  readonly #decodeImage: DecodeImage;
  readonly #timings: readonly SceneTiming[];
  readonly #layout: LayoutContext;
  readonly #backdrop: Backdrop;
  readonly #frameBuffer: FrameBuffer;
  /** Scenes laid out: the present one and the one it takes over from. Others are forgotten. */
  readonly #drawings = new Map<number, SceneDrawing>();

  constructor(storyboard: Storyboard, decodeImage: DecodeImage) {
    registerFonts();
    this.#storyboard = storyboard;
    this.#decodeImage = decodeImage;
    this.#timings = sceneTimings(storyboard);
    this.size = pictureSize(storyboard);
    this.frames = this.#timings.reduce((sum, timing) => sum + timing.frames, 0);
    const { width, height } = this.size;
    const palette = paletteOf(storyboard.theme);
    this.#layout = layoutContextOf(width, height, palette, new TextLayout());
    this.#backdrop = new Backdrop(width, height, palette, seedOf(storyboard.title));
    this.#frameBuffer = new FrameBuffer(width, height);
  }

  /** The frame that shows best what the video is about: a title or picture, fully there. */
  get posterFrame(): number {
    const { scenes } = this.#storyboard;
    const kinds = ['title', 'image', 'quote', 'text', 'list', 'countdown'] as const;
    const found = kinds
      .map((kind) => scenes.findIndex((scene) => scene.kind === kind))
      .find((index) => index >= 0);
    const timing = this.#timings[found ?? 0];
    return timing ? timing.first + Math.floor(timing.frames * 0.7) : 0;
  }

  /**
   * Draws a frame. The canvas is the film's own: use it before the next call, which waits for this
   * one. An image is decoded when the first frame of its scene is drawn, and only until it is laid
   * out: at most one is in memory.
   *
   * @throws {ImageUnreadableError}
   */
  async draw(frame: number): Promise<Picture> {
    const timing =
      this.#timings.find(({ first, frames }) => frame < first + frames) ?? this.#timings.at(-1);
    if (!timing) throw new RangeError('A film has at least one scene.');
    this.#forget(timing.scene);
    const { fps } = this.#storyboard;
    const seconds = (frame - timing.first) / fps;
    const span = Math.min(TRANSITION_SECONDS, timing.frames / fps / 2);
    const passed = easeInOut(seconds / span);
    const before = this.#timings[timing.scene - 1];
    const overlaps = passed < 1 && (timing.transition === 'slide' || timing.transition === 'wipe');
    const own = await this.#drawing(timing.scene);
    const scene: SceneAt = { drawing: own, timing, seconds };
    const changed =
      before && overlaps
        ? await this.#drawTransition(frame, { before, scene, passed })
        : this.#frameBuffer.show((list) => {
            this.#backdrop.draw(list, frame / fps);
            this.#paintScene(list, scene);
          });
    return { canvas: this.#frameBuffer.canvas, changed };
  }

  async #drawTransition(
    frame: number,
    { before, scene, passed }: { before: SceneTiming; scene: SceneAt; passed: number },
  ): Promise<Rows | undefined> {
    const { fps } = this.#storyboard;
    const { width, height } = this.size;
    const drawing = await this.#drawing(before.scene);
    const left: SceneAt = { drawing, timing: before, seconds: before.frames / fps };
    return this.#frameBuffer.show((list) => {
      this.#backdrop.draw(list, frame / fps);
      if (scene.timing.transition === 'slide') {
        list.shifted(-passed * width, () => this.#paintScene(list, left));
        list.shifted((1 - passed) * width, () => this.#paintScene(list, scene));
        return;
      }
      this.#paintScene(list, left);
      const edge = Math.round(passed * width);
      list.clipped({ x: 0, y: 0, width: edge, height }, () => {
        this.#backdrop.draw(list, frame / fps);
        this.#paintScene(list, scene);
      });
      const { palette, unit } = this.#layout;
      list.box({ x: edge, y: 0, width: Math.max(2, unit * 0.6), height }, palette.accent, 1);
    });
  }

  #paintScene(list: DisplayList, { drawing, timing, seconds }: SceneAt): void {
    const length = timing.frames / this.#storyboard.fps;
    const leaving = timing.next === 'fade' ? Math.min(LEAVING_SECONDS, length / 4) : 0;
    const exitOpacity = leaving > 0 ? 1 - easeIn((seconds - length + leaving) / leaving) : 1;
    drawing.draw(list, { seconds, length, exitOpacity });
  }

  async #drawing(index: number): Promise<SceneDrawing> {
    const known = this.#drawings.get(index);
    if (known) return known;
    const scene = this.#storyboard.scenes[index];
    if (!scene) throw new RangeError(`There is no scene ${index}.`);
    const made = await this.#layOut(scene, index);
    this.#drawings.set(index, made);
    return made;
  }

  async #layOut(scene: Scene, index: number): Promise<SceneDrawing> {
    if (scene.kind !== 'image') return layOut(scene, this.#layout);
    using image = await this.#decodeImage(scene.image, index);
    return layOut(scene, this.#layout, image.pixels);
  }

  #forget(present: number): void {
    for (const index of this.#drawings.keys()) {
      if (index !== present && index !== present - 1) this.#drawings.delete(index);
    }
  }
}
