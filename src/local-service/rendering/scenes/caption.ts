import { createCanvas } from '@napi-rs/canvas';
import { linear } from '../easing.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import type { LayoutContext } from '../layout-context.ts';

/** A subtitle: white on a dark plate. `height` includes the gap above it. */
export interface Caption extends SceneDrawing {
  height: number;
}

export function captionOf(text: string, layout: LayoutContext): Caption {
  const { unit, safe, textLayout } = layout;
  const padding = { x: 2.6 * unit, y: 1.5 * unit };
  const fitted = textLayout.fit(
    text,
    { face: 'text', weight: 500, colour: '#ffffff', leading: 1.32 },
    {
      width: Math.min(safe.width, 120 * unit) - 2 * padding.x,
      height: safe.height * 0.24 - 2 * padding.y,
      largest: 3.9 * unit,
      smallest: 3 * unit,
    },
  );
  const width = Math.ceil(fitted.width + 2 * padding.x);
  const height = Math.ceil(fitted.height + 2 * padding.y);
  const x = Math.round(safe.x + (safe.width - width) / 2);
  const y = Math.round(safe.y + safe.height - height);
  const plate = createCanvas(width, height);
  const context = plate.getContext('2d');
  context.fillStyle = 'rgba(12,11,10,0.74)';
  context.beginPath();
  context.roundRect(0, 0, width, height, Math.min(height / 2, 1.8 * unit));
  context.fill();
  const within = { x: 0, y: 0, width, height };
  const place = { x: padding.x, y: padding.y, width: fitted.width, align: 'center' } as const;
  for (const line of textLayout.rasterize(fitted, place, within)) {
    context.drawImage(line.canvas, line.x, line.y);
  }
  return {
    height: height + 3 * unit,
    draw(list, { entered }) {
      list.image(plate, x, y, linear((entered - 0.35) / 0.3));
    },
  };
}
