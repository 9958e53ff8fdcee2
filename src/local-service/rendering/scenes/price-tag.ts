/** A price on a plate, as on a shop's shelf. */
import { createCanvas } from '@napi-rs/canvas';
import { readable } from '../colour.ts';
import { type Box, type LayoutContext, styleOf } from '../layout-context.ts';
import { arrivingSprites } from './arrival.ts';
import type { SceneDrawing } from './scene-drawing.ts';

export interface PriceTag {
  /** In pixels. */
  readonly height: number;
  /** @param delay in seconds */
  at(x: number, y: number, isRight: boolean, delay: number): SceneDrawing;
}

export function priceTag(price: string, layout: LayoutContext, bounds: Box): PriceTag {
  const { g, look, palette, textLayout } = layout;
  const plate = palette.text;
  const ink = readable(palette.backgroundHigh, [plate], 4.5);
  const padding = { x: 2.6 * g, y: 1.1 * g };
  const style = { ...styleOf({ ...look.type.title, leading: 1 }, ink), tabular: true, caps: false };
  const text = textLayout.fit(price, style, {
    width: bounds.width - 2 * padding.x,
    height: bounds.height * 0.25,
    largest: 8.4 * g,
    smallest: 4 * g,
  });
  const width = Math.ceil(text.width + 2 * padding.x);
  const height = Math.ceil(text.size * 0.96 + 2 * padding.y);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = plate;
  context.beginPath();
  context.roundRect(0, 0, width, height, 1.2 * g);
  context.fill();
  const place = {
    x: padding.x,
    y: (height - text.height) / 2,
    width: text.width,
    align: 'start',
  } as const;
  for (const line of textLayout.rasterize(text, place, { x: 0, y: 0, width, height })) {
    context.drawImage(line.canvas, line.x, line.y);
  }
  return {
    height,
    at(x, y, isRight, delay) {
      const left = Math.round(isRight ? x + bounds.width - width : x);
      const sprite = { canvas, x: left, y: Math.round(y) };
      return arrivingSprites([sprite], { kind: 'scale', delay, distance: 0 });
    },
  };
}
