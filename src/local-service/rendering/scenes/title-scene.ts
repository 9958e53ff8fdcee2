import { easeOut } from '../easing.ts';
import { type Box, type LayoutContext, sizesOf, styleOf, topIn } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving } from './arrival.ts';
import { fillingTitle } from './filling-title.ts';
import { isPrice } from './price.ts';
import { priceTag } from './price-tag.ts';
import { type SceneDrawing, together } from './scene-drawing.ts';

/** A title gets smaller before it has more lines, but not below this part of its role's size. */
const MAX_LINES = 3;
const MANY_LINES = 0.68;

/** A large title, with its look's ornament above it and a subtitle below. */
export function titleScene(
  scene: SceneOf<'title'>,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { g, palette, textLayout, look } = layout;
  const ornament = ornamentOf(layout);
  const gap = look.ornament === 'none' ? 0 : 3.4 * g;
  const price =
    scene.subtitle !== undefined && isPrice(scene.subtitle) ? scene.subtitle : undefined;
  const tag = price === undefined ? undefined : priceTag(price, layout, bounds);
  const subtitle =
    scene.subtitle === undefined || tag
      ? undefined
      : textLayout.fit(scene.subtitle, styleOf(look.type.label, palette.secondaryText), {
          width: bounds.width,
          height: bounds.height * 0.42,
          ...sizesOf(look.type.label, scene.subtitle, layout),
          largest: look.type.label.size * 1.25 * g,
        });
  const belowHeight = subtitle?.height ?? tag?.height ?? 0;
  const below = belowHeight === 0 ? 0 : belowHeight + (tag ? 3.4 : 2.8) * g;
  const room = { width: bounds.width, height: bounds.height - ornament.height - gap - below };
  const filling = look.fillsWidth ? fillingTitle(scene.text, layout, room) : undefined;
  const title = textLayout.fit(scene.text, styleOf(look.type.title, palette.text), {
    ...room,
    ...sizesOf(look.type.title, scene.text, layout),
    lines: { most: MAX_LINES, least: look.type.title.size * MANY_LINES * g },
  });
  const titleHeight = filling?.height ?? title.height;
  const height = ornament.height + gap + titleHeight + below;
  const top = topIn(bounds, height, layout);
  const titleTop = top + ornament.height + gap;
  const ornamentTop = Math.round(top);
  const place = { x: bounds.x, width: bounds.width, align: look.align } as const;
  const after = 0.1 + Math.min(0.4, title.lines.length * 0.08);
  const belowTop = titleTop + titleHeight + below - belowHeight;
  const parts: SceneDrawing[] = [
    filling?.at(bounds.x, titleTop) ?? arriving(title, { ...place, y: titleTop }, layout, 0.04),
  ];
  if (subtitle) {
    parts.push(arriving(subtitle, { ...place, y: belowTop }, layout, after, 'rise'));
  }
  if (tag) parts.push(tag.at(bounds.x, belowTop, title.rightToLeft, after));
  parts.push({
    draw(list, moment) {
      const grown = easeOut(moment.entered / 0.6) * ornament.width(bounds);
      const x = title.rightToLeft ? bounds.x + bounds.width - grown : bounds.x;
      const area = { x, y: ornamentTop, width: grown, height: ornament.height };
      list.box(area, ornament.colour, 1);
    },
  });
  return together(parts);
}

function ornamentOf({ look, g, palette }: LayoutContext) {
  switch (look.ornament) {
    case 'bar':
      return {
        width: () => 7 * g,
        height: Math.max(2, Math.round(0.7 * g)),
        colour: palette.accent,
      };
    case 'rule':
      return {
        width: ({ width }: Box) => width,
        height: Math.max(1, Math.round(0.16 * g)),
        colour: palette.text,
      };
    case 'none':
      return { width: () => 0, height: 0, colour: palette.accent };
  }
}
