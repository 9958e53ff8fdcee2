import type { Palette } from './palette.ts';
import type { TextLayout } from './text-layout.ts';

/** A rectangle in pixels from the top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What every part of a picture is laid out on. */
export interface LayoutContext {
  width: number;
  height: number;
  /** A hundredth of the shorter side, in pixels: all sizes are given in it. */
  unit: number;
  /** The title-safe area, a tenth in from every edge: no text leaves it. */
  safe: Box;
  palette: Palette;
  textLayout: TextLayout;
}

const SAFE_MARGIN = 0.1;

export function layoutContextOf(
  width: number,
  height: number,
  palette: Palette,
  textLayout: TextLayout,
): LayoutContext {
  const x = Math.ceil(width * SAFE_MARGIN);
  const y = Math.ceil(height * SAFE_MARGIN);
  return {
    width,
    height,
    unit: Math.min(width, height) / 100,
    safe: { x, y, width: width - 2 * x, height: height - 2 * y },
    palette,
    textLayout,
  };
}
