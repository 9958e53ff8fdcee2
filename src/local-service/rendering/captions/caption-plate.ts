/** Sets a caption in white on a dark plate at the lower edge of an area. */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Box, LayoutContext } from '../layout-context.ts';
import type { FittedText } from '../text-layout.ts';

/** In g. */
const PADDING = { x: 2.2, y: 1.2 };
const SIZE = { largest: 3.8, smallest: 3.2 };
const LEADING = 1.32;
/** Of the text, in g. */
const MAX_WIDTH = 100;

/** What a plate is set with. */
export type PlateLayout = Pick<LayoutContext, 'g' | 'safe' | 'textLayout'>;

export interface Plate {
  readonly canvas: Canvas;
  /** In pixels, of its upper left corner. */
  readonly x: number;
  readonly y: number;
}

/** Of a plate with so many lines of the largest size, in g. */
export function plateHeight(lines: number): number {
  return lines * SIZE.largest * LEADING + 2 * PADDING.y;
}

/** @param height of the plate at most, in pixels */
export function fitCaption(
  text: string,
  { g, safe, textLayout }: PlateLayout,
  height: number,
): FittedText {
  return textLayout.fit(
    text,
    { face: 'caption', weight: 500, colour: '#ffffff', leading: LEADING },
    {
      width: Math.min(safe.width, MAX_WIDTH * g) - 2 * PADDING.x * g,
      height: height - 2 * PADDING.y * g,
      largest: SIZE.largest * g,
      smallest: SIZE.smallest * g,
    },
  );
}

/** Whether a text became smaller than a caption may be. */
export function isTooSmall({ size }: FittedText, { g }: PlateLayout): boolean {
  return size < SIZE.smallest * g * 0.97;
}

export function plateOf(fitted: FittedText, { g, safe, textLayout }: PlateLayout): Plate {
  const padding = { x: PADDING.x * g, y: PADDING.y * g };
  const width = Math.ceil(fitted.width + 2 * padding.x);
  const height = Math.ceil(fitted.height + 2 * padding.y);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'rgba(12,11,10,0.74)';
  context.beginPath();
  context.roundRect(0, 0, width, height, Math.min(height / 2, 1.5 * g));
  context.fill();
  const within: Box = { x: 0, y: 0, width, height };
  const place = { x: padding.x, y: padding.y, width: fitted.width, align: 'center' } as const;
  for (const line of textLayout.rasterize(fitted, place, within)) {
    context.drawImage(line.canvas, line.x, line.y);
  }
  return {
    canvas,
    x: Math.round(safe.x + (safe.width - width) / 2),
    y: Math.round(safe.y + safe.height - height),
  };
}
