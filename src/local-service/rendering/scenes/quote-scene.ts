import { createCanvas } from '@napi-rs/canvas';
import { FACES } from '../fonts.ts';
import { topIn, type Box, type LayoutContext } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import type { Sprite } from '../text-layout.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { RisingLines } from './scene-drawing.ts';

/** A quotation in a serif font, under a large quotation mark, with its author after a dash. */
export function quoteScene(
  scene: SceneOf<'quote'>,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { unit, palette, textLayout, textScale } = layout;
  const markHeight = 9 * unit;
  const gap = { mark: 3.2 * unit, by: 4 * unit };
  const by =
    scene.by === undefined
      ? undefined
      : textLayout.fit(
          `— ${scene.by}`,
          { face: 'text', weight: 500, colour: palette.secondaryText, leading: 1.3 },
          {
            width: bounds.width,
            height: bounds.height * 0.2,
            largest: 3.8 * unit,
            smallest: 3 * unit,
          },
        );
  const below = by ? gap.by + by.height : 0;
  const text = textLayout.fit(
    scene.text,
    { face: 'serif', weight: 420, colour: palette.text, leading: 1.16, tracking: -0.012 },
    {
      width: bounds.width,
      height: bounds.height - markHeight - gap.mark - below,
      largest: 10.5 * unit * textScale,
      smallest: 4 * unit,
    },
  );
  const height = markHeight + gap.mark + text.height + below;
  const top = topIn(bounds, height, layout);
  const textTop = top + markHeight + gap.mark;
  const place = { x: bounds.x, width: bounds.width, align: 'start' } as const;
  const mark = quotationMark(layout, markHeight);
  const markX = text.rightToLeft ? bounds.x + bounds.width - mark.width : bounds.x;
  const parts = [
    new RisingLines([{ canvas: mark, x: Math.round(markX), y: Math.round(top) } satisfies Sprite], {
      delay: 0,
      distance: 3 * unit,
    }),
    new RisingLines(textLayout.rasterize(text, { ...place, y: textTop }, layout.safe), {
      delay: 0.2,
      distance: text.size * 0.5,
    }),
  ];
  if (by) {
    const sprites = textLayout.rasterize(
      by,
      { ...place, y: textTop + text.height + gap.by },
      layout.safe,
    );
    parts.push(new RisingLines(sprites, { delay: 0.8, distance: by.size * 0.6 }));
  }
  return {
    draw(list, moment) {
      for (const part of parts) part.draw(list, moment);
    },
  };
}

/** An opening quotation mark, cropped to its outline and scaled to the height. */
function quotationMark({ palette }: LayoutContext, height: number) {
  const probe = createCanvas(8, 8).getContext('2d');
  probe.font = `500 100px ${FACES.serif.families}`;
  const metrics = probe.measureText('“');
  const size =
    (height / (metrics.actualBoundingBoxAscent + metrics.actualBoundingBoxDescent)) * 100;
  const width = ((metrics.actualBoundingBoxLeft + metrics.actualBoundingBoxRight) * size) / 100;
  const canvas = createCanvas(Math.ceil(width) + 2, Math.ceil(height) + 2);
  const context = canvas.getContext('2d');
  context.font = `500 ${size}px ${FACES.serif.families}`;
  context.fillStyle = palette.accent;
  context.fillText(
    '“',
    1 + (metrics.actualBoundingBoxLeft * size) / 100,
    1 + (metrics.actualBoundingBoxAscent * size) / 100,
  );
  return canvas;
}
