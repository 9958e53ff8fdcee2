import type { Canvas } from '@napi-rs/canvas';
import { Backdrop } from './backdrop.ts';
import { easeIn, easeInOut } from './easing.ts';
import { registerFonts } from './fonts.ts';
import type { DecodeImage } from './image-source.ts';
import type { DisplayList } from './display-list.ts';
import { paletteOf } from './palette.ts';
import { layOut } from './scenes/lay-out.ts';
import { overPicture, paletteOverPicture } from './scenes/over-picture.ts';
import type { SceneDrawing } from './scenes/scene-drawing.ts';
import type { Rows } from './frame-buffer.ts';
import { FrameBuffer } from './frame-buffer.ts';
import { seedOf } from './seeded.ts';
import type { LayoutContext } from './layout-context.ts';
import { layoutContextOf, layoutOverPicture } from './layout-context.ts';
import { Logo } from './logo.ts';
import { type MeasuredPicture, PictureBackdrop } from './picture-backdrop.ts';
import type { Scene, Storyboard } from './storyboard.ts';
import { pictureSize } from './storyboard.ts';
import { TextLayout } from './text-layout.ts';
import type { SceneTiming } from './timeline.ts';
import { sceneTimings } from './timeline.ts';

const TRANSITION_SECONDS = 0.7;
const EXIT_SECONDS = 0.35;
/** After this long, the text of a scene is at rest. */
const SETTLED_SECONDS = 4;

/** A drawn frame. */
export interface Picture {
  canvas: Canvas;
  /** The rows that differ from the previously drawn frame; `undefined` if none does. */
  changed: Rows | undefined;
}

/** A scene at one point in time. */
interface SceneAt {
  readonly drawing: SceneDrawing;
  readonly timing: SceneTiming;
  /** Time since the scene began. */
  readonly seconds: number;
  /** How long its text has been there when it begins, in seconds. */
  readonly ahead: number;
}

/** What every scene stands on. */
interface Stage {
  readonly layout: LayoutContext;
  readonly backdrop: Pick<Backdrop, 'draw'>;
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
  /** Without a picture. */
  readonly #layout: LayoutContext;
  #stage: Promise<Stage> | undefined;
  readonly #frameBuffer: FrameBuffer;
  /** By scene index: the layouts of the current and the previous scene. */
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
    this.#frameBuffer = new FrameBuffer(width, height);
  }

  /** The frame that represents the video best: a title or an image, fully visible. */
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
   * Draws a frame. The next call draws to the same canvas: await this one and use its picture
   * first. An image is decoded with the first frame of its scene and freed after the layout, so at
   * most one is in memory.
   *
   * @throws {ImageUnreadableError}
   */
  async draw(frame: number): Promise<Picture> {
    const timing =
      this.#timings.find(({ first, frames }) => frame < first + frames) ?? this.#timings.at(-1);
    if (!timing) throw new RangeError('A video has at least one scene.');
    this.#dropOthers(timing.scene);
    const { fps } = this.#storyboard;
    const stage = await (this.#stage ??= this.#setUp());
    // Over a picture, a video begins with a finished frame, which feeds show.
    const isFirst = stage.measured !== undefined && timing.first === 0;
    const counts = this.#storyboard.scenes[0]?.kind === 'countdown';
    const ahead = isFirst && !counts ? SETTLED_SECONDS : 0;
    const seconds = (frame - timing.first) / fps;
    const span = Math.min(TRANSITION_SECONDS, timing.frames / fps / 2);
    const passed = easeInOut(seconds / span);
    const before = this.#timings[timing.scene - 1];
    const overlaps = passed < 1 && (timing.transition === 'slide' || timing.transition === 'wipe');
    const drawing = await this.#drawing(timing.scene);
    const scene: SceneAt = { drawing, timing, seconds, ahead };
    const changed =
      before && overlaps
        ? await this.#drawTransition(frame, stage, { before, scene, passed })
        : this.#frameBuffer.show((list) => {
            stage.backdrop.draw(list, frame / fps);
            this.#drawScene(list, scene, stage);
            stage.logo?.draw(list);
          });
    return { canvas: this.#frameBuffer.canvas, changed };
  }

  async #drawTransition(
    frame: number,
    stage: Stage,
    { before, scene, passed }: { before: SceneTiming; scene: SceneAt; passed: number },
  ): Promise<Rows | undefined> {
    const { fps } = this.#storyboard;
    const { width, height } = this.size;
    const drawing = await this.#drawing(before.scene);
    const previous: SceneAt = {
      drawing,
      timing: before,
      seconds: before.frames / fps,
      ahead: 0,
    };
    return this.#frameBuffer.show((list) => {
      stage.backdrop.draw(list, frame / fps);
      if (scene.timing.transition === 'slide') {
        list.shifted(-passed * width, () => this.#drawScene(list, previous, stage));
        list.shifted((1 - passed) * width, () => this.#drawScene(list, scene, stage));
        stage.logo?.draw(list);
        return;
      }
      this.#drawScene(list, previous, stage);
      const edge = Math.round(passed * width);
      list.clipped({ x: 0, y: 0, width: edge, height }, () => {
        stage.backdrop.draw(list, frame / fps);
        this.#drawScene(list, scene, stage);
      });
      const { palette, unit } = stage.layout;
      list.box({ x: edge, y: 0, width: Math.max(2, unit * 0.6), height }, palette.accent, 1);
      stage.logo?.draw(list);
    });
  }

  #drawScene(list: DisplayList, { drawing, timing, seconds, ahead }: SceneAt, stage: Stage): void {
    const length = timing.frames / this.#storyboard.fps;
    // Over a picture, the last text stays until the end.
    const isLast = timing.scene === this.#timings.length - 1;
    const fades = timing.next === 'fade' && !(isLast && stage.measured !== undefined);
    const exit = fades ? Math.min(EXIT_SECONDS, length / 4) : 0;
    const exitOpacity = exit > 0 ? 1 - easeIn((seconds - length + exit) / exit) : 1;
    drawing.draw(list, { seconds: seconds + ahead, length: length + ahead, exitOpacity });
  }

  async #drawing(index: number): Promise<SceneDrawing> {
    const cached = this.#drawings.get(index);
    if (cached) return cached;
    const scene = this.#storyboard.scenes[index];
    if (!scene) throw new RangeError(`There is no scene ${index}.`);
    const drawing = await this.#layOut(scene, index);
    this.#drawings.set(index, drawing);
    return drawing;
  }

  async #layOut(scene: Scene, index: number): Promise<SceneDrawing> {
    const { layout, measured } = await (this.#stage ??= this.#setUp());
    if (scene.kind !== 'image') {
      const drawing = layOut(scene, layout);
      return measured === undefined ? drawing : overPicture(drawing, layout, measured);
    }
    using image = await this.#decodeImage({ image: scene.image, of: `scene ${index + 1}` });
    return layOut(scene, layout, image.pixels);
  }

  async #setUp(): Promise<Stage> {
    const { picture, logo, title, fps } = this.#storyboard;
    const { width, height } = this.size;
    const { palette } = this.#layout;
    const drawnLogo = logo === undefined ? undefined : await this.#drawLogo(logo);
    if (picture === undefined) {
      const backdrop = new Backdrop(width, height, palette, seedOf(title));
      return { layout: this.#layout, backdrop, measured: undefined, logo: drawnLogo };
    }
    using image = await this.#decodeImage({ image: picture, of: 'the background' });
    const backdrop = new PictureBackdrop(image.pixels, this.size, this.frames / fps);
    const colours = { ...this.#layout, palette: paletteOverPicture(palette) };
    const layout = layoutOverPicture(colours, backdrop.textWidth);
    drawnLogo?.standOn(backdrop.measured);
    return { layout, backdrop, measured: backdrop.measured, logo: drawnLogo };
  }

  async #drawLogo(logo: string): Promise<Logo> {
    using image = await this.#decodeImage({ image: logo, of: 'the logo' });
    return new Logo(image.pixels, this.size);
  }

  #dropOthers(current: number): void {
    for (const index of this.#drawings.keys()) {
      if (index !== current && index !== current - 1) this.#drawings.delete(index);
    }
  }
}
