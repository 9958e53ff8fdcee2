import type { Canvas } from '@napi-rs/canvas';
import { Backdrop } from './backdrop.ts';
import { easeIn, easeInOut } from './easing.ts';
import { registerFonts } from './fonts.ts';
import type { DecodeImage } from './image-source.ts';
import type { Painter } from './painter.ts';
import { paletteOf } from './palette.ts';
import { layOut } from './scenes/lay-out.ts';
import type { SceneDrawing } from './scenes/scene-drawing.ts';
import type { Rows } from './screen.ts';
import { Screen } from './screen.ts';
import { seedOf } from './seeded.ts';
import type { Stage } from './stage.ts';
import { stageOf } from './stage.ts';
import type { Scene, Storyboard } from './storyboard.ts';
import { pictureSize } from './storyboard.ts';
import { TextPress } from './text-press.ts';
import type { Cue } from './timeline.ts';
import { cuesOf } from './timeline.ts';

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
  readonly cue: Cue;
  /** Since the scene began. */
  readonly seconds: number;
}

/** A storyboard made ready to be drawn: any frame, in any order, always the same. */
export class Film {
  readonly size: { width: number; height: number };
  readonly frames: number;
  readonly #storyboard: Storyboard;
  readonly #decodeImage: DecodeImage;
  readonly #cues: readonly Cue[];
  readonly #stage: Stage;
  readonly #backdrop: Backdrop;
  readonly #screen: Screen;
  /** Scenes laid out: the present one and the one it takes over from. Others are forgotten. */
  readonly #drawings = new Map<number, SceneDrawing>();

  constructor(storyboard: Storyboard, decodeImage: DecodeImage) {
    registerFonts();
    this.#storyboard = storyboard;
    this.#decodeImage = decodeImage;
    this.#cues = cuesOf(storyboard);
    this.size = pictureSize(storyboard);
    this.frames = this.#cues.reduce((sum, cue) => sum + cue.frames, 0);
    const { width, height } = this.size;
    const palette = paletteOf(storyboard.theme);
    this.#stage = stageOf(width, height, palette, new TextPress());
    this.#backdrop = new Backdrop(width, height, palette, seedOf(storyboard.title));
    this.#screen = new Screen(width, height);
  }

  /** The frame that shows best what the video is about: a title or picture, fully there. */
  get posterFrame(): number {
    const { scenes } = this.#storyboard;
    const kinds = ['title', 'image', 'quote', 'text', 'list', 'countdown'] as const;
    const found = kinds
      .map((kind) => scenes.findIndex((scene) => scene.kind === kind))
      .find((index) => index >= 0);
    const cue = this.#cues[found ?? 0];
    return cue ? cue.first + Math.floor(cue.frames * 0.7) : 0;
  }

  /**
   * Draws a frame. The canvas is the film's own: use it before the next call, which waits for this
   * one. An image is decoded when the first frame of its scene is drawn, and only until it is laid
   * out: at most one is in memory.
   *
   * @throws {ImageUnreadableError}
   */
  async draw(frame: number): Promise<Picture> {
    const cue = this.#cues.find(({ first, frames }) => frame < first + frames) ?? this.#cues.at(-1);
    if (!cue) throw new RangeError('A film has at least one scene.');
    this.#forget(cue.scene);
    const { fps } = this.#storyboard;
    const seconds = (frame - cue.first) / fps;
    const span = Math.min(TRANSITION_SECONDS, cue.frames / fps / 2);
    const passed = easeInOut(seconds / span);
    const before = this.#cues[cue.scene - 1];
    const overlaps = passed < 1 && (cue.transition === 'slide' || cue.transition === 'wipe');
    const own = await this.#drawing(cue.scene);
    const scene: SceneAt = { drawing: own, cue, seconds };
    const changed =
      before && overlaps
        ? await this.#drawTransition(frame, { before, scene, passed })
        : this.#screen.show((painter) => {
            this.#backdrop.draw(painter, frame / fps);
            this.#paintScene(painter, scene);
          });
    return { canvas: this.#screen.canvas, changed };
  }

  async #drawTransition(
    frame: number,
    { before, scene, passed }: { before: Cue; scene: SceneAt; passed: number },
  ): Promise<Rows | undefined> {
    const { fps } = this.#storyboard;
    const { width, height } = this.size;
    const drawing = await this.#drawing(before.scene);
    const left: SceneAt = { drawing, cue: before, seconds: before.frames / fps };
    return this.#screen.show((painter) => {
      this.#backdrop.draw(painter, frame / fps);
      if (scene.cue.transition === 'slide') {
        painter.shifted(-passed * width, () => this.#paintScene(painter, left));
        painter.shifted((1 - passed) * width, () => this.#paintScene(painter, scene));
        return;
      }
      this.#paintScene(painter, left);
      const edge = Math.round(passed * width);
      painter.clipped({ x: 0, y: 0, width: edge, height }, () => {
        this.#backdrop.draw(painter, frame / fps);
        this.#paintScene(painter, scene);
      });
      const { palette, unit } = this.#stage;
      painter.box({ x: edge, y: 0, width: Math.max(2, unit * 0.6), height }, palette.accent, 1);
    });
  }

  #paintScene(painter: Painter, { drawing, cue, seconds }: SceneAt): void {
    const length = cue.frames / this.#storyboard.fps;
    const leaving = cue.next === 'fade' ? Math.min(LEAVING_SECONDS, length / 4) : 0;
    const presence = leaving > 0 ? 1 - easeIn((seconds - length + leaving) / leaving) : 1;
    drawing.draw(painter, { seconds, length, presence });
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
    if (scene.kind !== 'image') return layOut(scene, this.#stage);
    using image = await this.#decodeImage(scene.image, index);
    return layOut(scene, this.#stage, image.pixels);
  }

  #forget(present: number): void {
    for (const index of this.#drawings.keys()) {
      if (index !== present && index !== present - 1) this.#drawings.delete(index);
    }
  }
}
