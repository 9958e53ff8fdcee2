import { easeOut } from '../easing.ts';
import { topIn, type Box, type LayoutContext } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { RisingLines, largestSize } from './scene-drawing.ts';

/** A large title with a short bar of accent colour above it and a subtitle below. */
export function titleScene(
  scene: SceneOf<'title'>,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { unit, palette, textLayout, textScale } = layout;
  const bar = { width: 9 * unit, height: Math.max(2, Math.round(0.9 * unit)) };
  const gap = { bar: 4.5 * unit, subtitle: 3.8 * unit };
  const subtitle =
    scene.subtitle === undefined
      ? undefined
      : textLayout.fit(
          scene.subtitle,
          {
            face: 'text',
            weight: 400,
            colour: palette.secondaryText,
            leading: 1.35,
            tracking: -0.005,
          },
          {
            width: bounds.width,
            height: bounds.height * 0.3,
            largest: 4.8 * unit,
            smallest: 3 * unit,
          },
        );
  const below = subtitle ? gap.subtitle + subtitle.height : 0;
  const title = textLayout.fit(
    scene.text,
    { face: 'display', weight: 700, colour: palette.text, leading: 1.08, tracking: -0.028 },
    {
      width: bounds.width,
      height: bounds.height - bar.height - gap.bar - below,
      largest: largestSize(scene.text, 14, 22) * unit * textScale,
      smallest: 5 * unit,
    },
  );
  const height = bar.height + gap.bar + title.height + below;
  const top = topIn(bounds, height, layout);
  const titleTop = top + bar.height + gap.bar;
  const barTop = Math.round(top);
  const place = { x: bounds.x, width: bounds.width, align: 'start' } as const;
  const lines = new RisingLines(
    textLayout.rasterize(title, { ...place, y: titleTop }, layout.safe),
    {
      delay: 0.1,
      distance: title.size * 0.5,
    },
  );
  const after = 0.25 + Math.min(0.5, title.lines.length * 0.09);
  const subtitleLines =
    subtitle &&
    new RisingLines(
      textLayout.rasterize(
        subtitle,
        { ...place, y: titleTop + title.height + gap.subtitle },
        layout.safe,
      ),
      { delay: after, distance: subtitle.size * 0.6 },
    );
  return {
    draw(list, moment) {
      const grown = easeOut(moment.entered / 0.6) * bar.width;
      const x = title.rightToLeft ? bounds.x + bounds.width - grown : bounds.x;
      const area = { x, y: barTop, width: grown, height: bar.height };
      list.box(area, palette.accent, 1);
      lines.draw(list, moment);
      subtitleLines?.draw(list, moment);
    },
  };
}
