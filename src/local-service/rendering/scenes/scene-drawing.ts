import { easeOut } from '../easing.ts';
import type { DisplayList } from '../display-list.ts';
import type { Sprite } from '../text-layout.ts';

/** A point in time of a scene. */
export interface Moment {
  /** Seconds since the scene began. */
  seconds: number;
  /** The scene's total length in seconds. */
  length: number;
  /** Seconds since its elements began to appear; infinite for a scene that begins complete. */
  entered: number;
}

/** A laid-out scene, which can be drawn at any time. */
export interface SceneDrawing {
  draw(list: DisplayList, moment: Moment): void;
}

const RISE_SECONDS = 0.45;
const STAGGER_SECONDS = 0.07;
/** The last line starts to appear within this time, however many lines there are. */
const MAX_STAGGER_SECONDS = 0.7;

/**
 * The largest font size for a text, in units: `usual`, and up to `short` for a few words.
 */
export function largestSize(text: string, usual: number, short: number): number {
  return Math.max(usual, short - text.length * 0.3);
}

/** Lines that rise into place one after another. */
export class RisingLines {
  readonly #sprites: readonly Sprite[];
  readonly #delay: number;
  readonly #distance: number;
  readonly #stagger: number;

  /** @param options.distance in pixels, from which a line rises; @param options.delay in seconds */
  constructor(sprites: readonly Sprite[], options: { delay: number; distance: number }) {
    this.#sprites = sprites;
    this.#delay = options.delay;
    this.#distance = options.distance;
    this.#stagger = Math.min(STAGGER_SECONDS, MAX_STAGGER_SECONDS / sprites.length);
  }

  draw(list: DisplayList, moment: Moment): void {
    this.#sprites.forEach((sprite, index) => {
      const t = (moment.entered - this.#delay - index * this.#stagger) / RISE_SECONDS;
      const entered = easeOut(t);
      const offset = (1 - entered) * this.#distance;
      list.image(sprite.canvas, sprite.x, sprite.y + offset, Math.min(1, entered * 1.2));
    });
  }
}
