import type { Palette } from './palette.ts';
import type { TextLayout } from './text-layout.ts';

/** A rectangle in pixels from the top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What the layout of a scene depends on besides the scene. */
export interface LayoutContext {
  width: number;
  height: number;
  /** A hundredth of the shorter side, in pixels; the unit of all sizes. */
  unit: number;
  /** The title-safe area: text stays a tenth of the picture away from every edge. */
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
