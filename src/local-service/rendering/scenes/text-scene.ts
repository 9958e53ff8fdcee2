import { type Box, type LayoutContext, sizesOf, styleOf, topIn } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving } from './arrival.ts';
import { type SceneDrawing, together } from './scene-drawing.ts';

/**
 * A paragraph under a small heading in accent colour.
 *
 * @param parts all pages of the text: they have one size, and their headings one place
 */
export function textScene(
  scene: SceneOf<'text'>,
  parts: readonly SceneOf<'text'>[],
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { g, palette, textLayout, look } = layout;
  const { label, text: role } = look.type;
  const heading =
    scene.heading === undefined
      ? undefined
      : textLayout.fit(scene.heading, styleOf({ ...label, weight: 650 }, palette.accentText), {
          width: bounds.width,
          height: bounds.height * 0.25,
          ...sizesOf(label, scene.heading, layout),
          largest: label.size * 1.1 * g,
        });
  const above = heading ? heading.height + 2.2 * g : 0;
  const { text, highest } = textLayout.fitAlike(
    scene.text,
    parts.map((part) => part.text),
    styleOf(role, palette.text),
    (part) => ({
      width: bounds.width,
      height: bounds.height - above,
      ...sizesOf(role, part, layout, 'running'),
    }),
  );
  const top = topIn(bounds, above + highest, layout);
  const place = { x: bounds.x, width: bounds.width, align: look.align } as const;
  const drawings = [arriving(text, { ...place, y: top + above }, layout, heading ? 0.14 : 0.04)];
  if (heading) drawings.push(arriving(heading, { ...place, y: top }, layout, 0, 'rise'));
  return together(drawings);
}
