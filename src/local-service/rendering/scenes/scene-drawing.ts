import type { DisplayList } from '../display-list.ts';

/** A point in time of a page. */
export interface Moment {
  /** Seconds since the page began. */
  seconds: number;
  /** The page's total length in seconds. */
  length: number;
  /** Seconds since its elements began to appear; infinite for a page that begins complete. */
  entered: number;
}

/** A laid-out page, which can be drawn at any time. */
export interface SceneDrawing {
  /** What darkens the picture behind the page. It stays in place while the page moves. */
  drawScrim?(list: DisplayList): void;
  draw(list: DisplayList, moment: Moment): void;
}

/** Draws all of these, in order. */
export function together(drawings: readonly SceneDrawing[]): SceneDrawing {
  return {
    draw(list, moment) {
      for (const drawing of drawings) drawing.draw(list, moment);
    },
  };
}
