import { type Box, type LayoutContext, sizesOf, styleOf, topIn } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving } from './arrival.ts';
import { type SceneDrawing, together } from './scene-drawing.ts';

/** A paragraph under a small heading in accent colour. */
export function textScene(
  scene: SceneOf<'text'>,
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
  const text = textLayout.fit(scene.text, styleOf(role, palette.text), {
    width: bounds.width,
    height: bounds.height - above,
    ...sizesOf(role, scene.text, layout, 'running'),
  });
  const top = topIn(bounds, above + text.height, layout);
  const place = { x: bounds.x, width: bounds.width, align: look.align } as const;
  const parts = [arriving(text, { ...place, y: top + above }, layout, heading ? 0.14 : 0.04)];
  if (heading) parts.push(arriving(heading, { ...place, y: top }, layout, 0, 'rise'));
  return together(parts);
}
