import { createCanvas } from '@napi-rs/canvas';
import { linear } from '../easing.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import type { LayoutContext } from '../layout-context.ts';

/** A subtitle: white on a dark plate. `height` includes the gap above it. */
export interface Caption extends SceneDrawing {
  height: number;
}

export function captionOf(text: string, layout: LayoutContext): Caption {
  const { g, safe, textLayout } = layout;
  const padding = { x: 2.2 * g, y: 1.2 * g };
  const fitted = textLayout.fit(
    text,
    { face: 'text', weight: 500, colour: '#ffffff', leading: 1.32 },
    {
      width: Math.min(safe.width, 100 * g) - 2 * padding.x,
      height: safe.height * 0.24 - 2 * padding.y,
      largest: 3.8 * g,
      smallest: 3.2 * g,
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
  context.roundRect(0, 0, width, height, Math.min(height / 2, 1.5 * g));
  context.fill();
  const within = { x: 0, y: 0, width, height };
  const place = { x: padding.x, y: padding.y, width: fitted.width, align: 'center' } as const;
  for (const line of textLayout.rasterize(fitted, place, within)) {
    context.drawImage(line.canvas, line.x, line.y);
  }
  return {
    height: height + 2.6 * g,
    draw(list, { entered }) {
      list.image(plate, x, y, linear((entered - 0.35) / 0.3));
    },
  };
}
