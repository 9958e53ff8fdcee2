import { easeOut } from '../easing.ts';
import type { DisplayList } from '../display-list.ts';
import type { Sprite } from '../text-layout.ts';

/** A point in time of a scene. */
export interface Moment {
  /** Seconds since the scene began to appear; negative before that. */
  seconds: number;
  /** The scene's total length in seconds. */
  length: number;
  /** 1, falling to 0 while the scene fades out. */
  exitOpacity: number;
}

/** A laid-out scene, which can be drawn at any time. */
export interface SceneDrawing {
  draw(list: DisplayList, moment: Moment): void;
}

const RISE_SECONDS = 0.75;
const STAGGER_SECONDS = 0.09;
/** The last line starts to appear within this time, however many lines there are. */
const MAX_STAGGER_SECONDS = 0.7;

/**
 * The largest font size for a text, in units: `usual`, and up to `short` for a few words.
 */
export function largestSize(text: string, usual: number, short: number): number {
  return Math.max(usual, short - text.length * 0.3);
}

/** Lines that rise into place one after another, and rise further together while they fade out. */
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

  draw(list: DisplayList, { seconds, exitOpacity }: Moment): void {
    this.#sprites.forEach((sprite, index) => {
      const t = (seconds - this.#delay - index * this.#stagger) / RISE_SECONDS;
      const entered = easeOut(t);
      const offset = (1 - entered) * this.#distance - (1 - exitOpacity) * this.#distance * 0.5;
      const opacity = Math.min(1, entered * 1.2) * exitOpacity;
      list.image(sprite.canvas, sprite.x, sprite.y + offset, opacity);
    });
  }
}
