import { createCanvas } from '@napi-rs/canvas';
import { FACES } from '../fonts.ts';
import type { Box, LayoutContext } from '../layout-context.ts';
import type { SceneOf } from '../storyboard.ts';
import type { Sprite } from '../text-layout.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { RisingLines } from './scene-drawing.ts';

/** Someone's words in a serif, under a large quotation mark, with their name after a dash. */
export function quoteScene(
  scene: SceneOf<'quote'>,
  layout: LayoutContext,
  room: Box,
): SceneDrawing {
  const { unit, palette, textLayout } = layout;
  const markHeight = 9 * unit;
  const gap = { mark: 3.2 * unit, by: 4 * unit };
  const by =
    scene.by === undefined
      ? undefined
      : textLayout.fit(
          `— ${scene.by}`,
          { face: 'text', weight: 500, colour: palette.quiet, leading: 1.3 },
          { width: room.width, height: room.height * 0.2, largest: 3.8 * unit, smallest: 3 * unit },
        );
  const below = by ? gap.by + by.height : 0;
  const text = textLayout.fit(
    scene.text,
    { face: 'serif', weight: 420, colour: palette.text, leading: 1.16, tracking: -0.012 },
    {
      width: room.width,
      height: room.height - markHeight - gap.mark - below,
      largest: 10.5 * unit,
      smallest: 4 * unit,
    },
  );
  const height = markHeight + gap.mark + text.height + below;
  const top = room.y + (room.height - height) / 2;
  const textTop = top + markHeight + gap.mark;
  const place = { x: room.x, width: room.width, align: 'start' } as const;
  const mark = quotationMark(layout, markHeight);
  const markX = text.rightToLeft ? room.x + room.width - mark.width : room.x;
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

/** An opening quotation mark whose ink fills the height. */
function quotationMark({ palette }: LayoutContext, height: number) {
  const probe = createCanvas(8, 8).getContext('2d');
  probe.font = `500 100px ${FACES.serif.families}`;
  const ink = probe.measureText('“');
  const size = (height / (ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent)) * 100;
  const width = ((ink.actualBoundingBoxLeft + ink.actualBoundingBoxRight) * size) / 100;
  const canvas = createCanvas(Math.ceil(width) + 2, Math.ceil(height) + 2);
  const context = canvas.getContext('2d');
  context.font = `500 ${size}px ${FACES.serif.families}`;
  context.fillStyle = palette.accent;
  context.fillText(
    '“',
    1 + (ink.actualBoundingBoxLeft * size) / 100,
    1 + (ink.actualBoundingBoxAscent * size) / 100,
  );
  return canvas;
}
