import { easeOut } from '../easing.ts';
import type { DisplayList } from '../display-list.ts';
import type { Sprite } from '../text-layout.ts';

/** A moment of a scene. */
export interface Moment {
  /** Seconds since the scene began to appear; negative while it has not. */
  seconds: number;
  /** The scene's total length in seconds. */
  length: number;
  /** 1 while the scene stands, falling to 0 as it goes. */
  exitOpacity: number;
}

/** A scene laid out once, drawn at any moment. */
export interface SceneDrawing {
  draw(list: DisplayList, moment: Moment): void;
}

const RISE_SECONDS = 0.75;
const STAGGER_SECONDS = 0.09;
/** However many lines there are, the last one starts to appear within this time. */
const MAX_STAGGER_SECONDS = 0.7;

/**
 * The largest font size for a text, in units: `usual`, and up to `short` for a few words, which
 * would look lost in a large picture.
 */
export function largestSize(text: string, usual: number, short: number): number {
  return Math.max(usual, short - text.length * 0.3);
}

/** Lines that rise into place one after the other, and lift off together. */
export class RisingLines {
  readonly #sprites: readonly Sprite[];
  readonly #delay: number;
  readonly #distance: number;
  readonly #stagger: number;

  /** @param options.distance pixels from which a line rises; @param options.delay in seconds */
  constructor(sprites: readonly Sprite[], options: { delay: number; distance: number }) {
    this.#sprites = sprites;
    this.#delay = options.delay;
    this.#distance = options.distance;
    this.#stagger = Math.min(STAGGER_SECONDS, MAX_STAGGER_SECONDS / sprites.length);
  }

  draw(list: DisplayList, { seconds, exitOpacity }: Moment): void {
    this.#sprites.forEach((sprite, index) => {
      const t = (seconds - this.#delay - index * this.#stagger) / RISE_SECONDS;
      const arrived = easeOut(t);
      const offset = (1 - arrived) * this.#distance - (1 - exitOpacity) * this.#distance * 0.5;
      const opacity = Math.min(1, arrived * 1.2) * exitOpacity;
      list.image(sprite.canvas, sprite.x, sprite.y + offset, opacity);
    });
  }
}
