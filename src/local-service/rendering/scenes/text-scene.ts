import { topIn, type Box, type LayoutContext } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { RisingLines, largestSize } from './scene-drawing.ts';

/** A paragraph under a small heading in accent colour. */
export function textScene(
  scene: SceneOf<'text'>,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { unit, palette, textLayout, textScale } = layout;
  const gap = 2.6 * unit;
  const heading =
    scene.heading === undefined
      ? undefined
      : textLayout.fit(
          scene.heading,
          { face: 'text', weight: 600, colour: palette.accentText, leading: 1.3 },
          {
            width: bounds.width,
            height: bounds.height * 0.25,
            largest: 4 * unit,
            smallest: 3 * unit,
          },
        );
  const above = heading ? heading.height + gap : 0;
  const text = textLayout.fit(
    scene.text,
    { face: 'display', weight: 500, colour: palette.text, leading: 1.24, tracking: -0.018 },
    {
      width: bounds.width,
      height: bounds.height - above,
      largest: largestSize(scene.text, 8, 12) * unit * textScale,
      smallest: 3.4 * unit,
    },
  );
  const top = topIn(bounds, above + text.height, layout);
  const place = { x: bounds.x, width: bounds.width, align: 'start' } as const;
  const parts = [
    new RisingLines(textLayout.rasterize(text, { ...place, y: top + above }, layout.safe), {
      delay: heading ? 0.2 : 0.05,
      distance: text.size * 0.6,
    }),
  ];
  if (heading) {
    const sprites = textLayout.rasterize(heading, { ...place, y: top }, layout.safe);
    parts.push(new RisingLines(sprites, { delay: 0, distance: heading.size * 0.6 }));
  }
  return {
    draw(list, moment) {
      for (const part of parts) part.draw(list, moment);
    },
  };
}
