import { createCanvas } from '@napi-rs/canvas';
import { FACES } from '../fonts.ts';
import { type Box, type LayoutContext, sizesOf, styleOf, topIn } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving, arrivingSprites } from './arrival.ts';
import { type SceneDrawing, together } from './scene-drawing.ts';

/**
 * A quotation under a large quotation mark, with its author after a dash.
 *
 * @param parts all pages of the quotation: they have one size, and their marks one place
 */
export function quoteScene(
  scene: SceneOf<'quote'>,
  parts: readonly SceneOf<'quote'>[],
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { g, palette, textLayout, look } = layout;
  const { label, quote } = look.type;
  const markHeight = 6.6 * g;
  const gap = { mark: 2.6 * g, by: 3.2 * g };
  const author = parts.at(-1)?.by;
  const by =
    author === undefined
      ? undefined
      : textLayout.fit(`— ${author}`, styleOf(label, palette.secondaryText), {
          width: bounds.width,
          height: bounds.height * 0.2,
          ...sizesOf(label, author, layout),
        });
  const below = by ? gap.by + by.height : 0;
  const { text, highest } = textLayout.fitAlike(
    scene.text,
    parts.map((part) => part.text),
    styleOf(quote, palette.text),
    (part) => ({
      width: bounds.width,
      height: bounds.height - markHeight - gap.mark - below,
      ...sizesOf(quote, part, layout, 'running'),
    }),
  );
  const height = markHeight + gap.mark + highest + below;
  const top = topIn(bounds, height, layout);
  const textTop = top + markHeight + gap.mark;
  const place = { x: bounds.x, width: bounds.width, align: look.align } as const;
  const mark = quotationMark(layout, markHeight);
  const markX = text.rightToLeft ? bounds.x + bounds.width - mark.width : bounds.x;
  const markSprite = { canvas: mark, x: Math.round(markX), y: Math.round(top) };
  const drawings = [
    arrivingSprites([markSprite], { kind: 'rise', delay: 0, distance: 2 * g }),
    arriving(text, { ...place, y: textTop }, layout, 0.12),
  ];
  // It stands below the end of what was said.
  if (by && scene.by !== undefined) {
    const y = textTop + text.height + gap.by;
    drawings.push(arriving(by, { ...place, y }, layout, 0.5, 'rise'));
  }
  return together(drawings);
}

/** An opening quotation mark, cropped to its outline and scaled to the height. */
function quotationMark({ palette, look }: LayoutContext, height: number) {
  const { families } = FACES[look.type.quote.face];
  const weight = Math.max(500, look.type.quote.weight);
  const probe = createCanvas(8, 8).getContext('2d');
  probe.font = `${weight} 100px ${families}`;
  const metrics = probe.measureText('“');
  const size =
    (height / (metrics.actualBoundingBoxAscent + metrics.actualBoundingBoxDescent)) * 100;
  const width = ((metrics.actualBoundingBoxLeft + metrics.actualBoundingBoxRight) * size) / 100;
  const canvas = createCanvas(Math.ceil(width) + 2, Math.ceil(height) + 2);
  const context = canvas.getContext('2d');
  context.font = `${weight} ${size}px ${families}`;
  context.fillStyle = palette.accent;
  context.fillText(
    '“',
    1 + (metrics.actualBoundingBoxLeft * size) / 100,
    1 + (metrics.actualBoundingBoxAscent * size) / 100,
  );
  return canvas;
}
