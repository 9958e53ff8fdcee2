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
  /** The title-safe area: text stays inside it. */
  safe: Box;
  /** Where scenes stand in their bounds: over a picture at its lower edge. */
  anchor: 'middle' | 'bottom';
  /** Factor for the largest sizes of text, so that a picture stays visible behind it. */
  textScale: number;
  palette: Palette;
  textLayout: TextLayout;
}

/** Over a picture, text is at most this large, and takes this part of a wide frame's width. */
const OVER_PICTURE = { textScale: 0.78, wideText: 0.64 };

export function layoutContextOf(
  width: number,
  height: number,
  palette: Palette,
  textLayout: TextLayout,
): LayoutContext {
  return {
    width,
    height,
    unit: Math.min(width, height) / 100,
    safe: safeArea({ width, height }),
    anchor: 'middle',
    textScale: 1,
    palette,
    textLayout,
  };
}

/**
 * The layout over a picture that fills the frame.
 * @param textWidth how far from the left text may reach, in pixels
 */
export function layoutOverPicture(layout: LayoutContext, textWidth: number): LayoutContext {
  const { safe } = layout;
  const isWide = layout.width > layout.height;
  const widest = isWide ? Math.floor(safe.width * OVER_PICTURE.wideText) : safe.width;
  const width = Math.min(widest, textWidth - safe.x - (textWidth < layout.width ? safe.x / 2 : 0));
  const { textScale } = OVER_PICTURE;
  return { ...layout, safe: { ...safe, width }, anchor: 'bottom', textScale };
}

/**
 * Inside it nothing is covered by the buttons and captions that apps draw over upright videos, and
 * nothing is cut off elsewhere.
 */
export function safeArea({ width, height }: Pick<LayoutContext, 'width' | 'height'>): Box {
  const isUpright = height > width * 1.5;
  const side = width > height ? 0.05 : 0.07;
  const margins = isUpright
    ? { left: 0.06, right: 0.12, top: 0.14, bottom: 0.25 }
    : { left: side, right: side, top: side, bottom: side };
  const x = Math.ceil(width * margins.left);
  const y = Math.ceil(height * margins.top);
  return {
    x,
    y,
    width: Math.floor(width * (1 - margins.right)) - x,
    height: Math.floor(height * (1 - margins.bottom)) - y,
  };
}

/** The upper edge of a block of this height in its bounds, in pixels. */
export function topIn(bounds: Box, height: number, { anchor }: Pick<LayoutContext, 'anchor'>) {
  return bounds.y + (bounds.height - height) * (anchor === 'bottom' ? 1 : 0.5);
}
