import { easeOut } from '../easing.ts';
import { topIn, type Box, type LayoutContext } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { RisingLines } from './scene-drawing.ts';

const ITEM_DELAY = 0.16;

/** Numbered items under a heading, which appear one by one and are separated by hairlines. */
export function listScene(
  scene: SceneOf<'list'>,
  firstNumber: number,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { unit, palette, textLayout, textScale } = layout;
  const headingGap = 4 * unit;
  const heading =
    scene.heading === undefined
      ? undefined
      : textLayout.fit(
          scene.heading,
          { face: 'display', weight: 700, colour: palette.text, leading: 1.12, tracking: -0.022 },
          {
            width: bounds.width,
            height: bounds.height * 0.3,
            largest: 7.5 * unit * textScale,
            smallest: 4 * unit,
          },
        );
  const above = heading ? heading.height + headingGap : 0;
  const cell = (bounds.height - above) / scene.items.length;
  const isUpright = layout.height > layout.width * 1.5;
  const padding = Math.min((isUpright ? 4 : 2.4) * unit, cell * 0.2);
  const usual = scene.items.length > 3 ? 5.6 : 6.8;
  // An upright frame has room between its items, and is seen on a small screen.
  const largest = usual * (isUpright ? 1.2 : 1) * unit * textScale;
  const numeralWidth = largest * 1.9;
  const itemWidth = bounds.width - numeralWidth;
  const style = {
    face: 'display',
    weight: 500,
    colour: palette.text,
    leading: 1.22,
    tracking: -0.012,
  } as const;
  const itemRoom = { width: itemWidth, height: cell - 2 * padding, smallest: 2.6 * unit };
  const sizes = scene.items.map(
    (item) => textLayout.fit(item, style, { ...itemRoom, largest }).size,
  );
  // All items have the font size that fits the longest one.
  const size = Math.min(...sizes);
  const items = scene.items.map((item) =>
    textLayout.fit(item, style, {
      ...itemRoom,
      largest: size,
      smallest: Math.min(size, itemRoom.smallest),
    }),
  );
  const height = above + items.reduce((sum, item) => sum + item.height + 2 * padding, 0);
  const top = topIn(bounds, height, layout);
  const rightToLeft = (heading ?? items[0])?.rightToLeft ?? false;
  const parts: RisingLines[] = [];
  if (heading) {
    const sprites = textLayout.rasterize(
      heading,
      { x: bounds.x, y: top, width: bounds.width, align: 'start' },
      layout.safe,
    );
    parts.push(new RisingLines(sprites, { delay: 0, distance: heading.size * 0.5 }));
  }
  const lines: { y: number; delay: number }[] = [];
  let y = top + above;
  for (const [index, item] of items.entries()) {
    const delay = 0.25 + index * ITEM_DELAY;
    if (index > 0) lines.push({ y: Math.round(y), delay });
    y += padding;
    const numeral = textLayout.fit(
      String(firstNumber + index).padStart(2, '0'),
      { ...style, weight: 600, colour: palette.accentText, tabular: true },
      { width: numeralWidth, height: item.height + padding, largest: item.size, smallest: 1 },
    );
    const numeralX = rightToLeft ? bounds.x + bounds.width - numeral.width : bounds.x;
    const itemX = rightToLeft ? bounds.x : bounds.x + numeralWidth;
    const sprites = [
      ...textLayout.rasterize(
        numeral,
        { x: numeralX, y, width: numeral.width, align: 'start' },
        layout.safe,
      ),
      ...textLayout.rasterize(item, { x: itemX, y, width: itemWidth, align: 'start' }, layout.safe),
    ];
    parts.push(new RisingLines(sprites, { delay, distance: item.size * 0.6 }));
    y += item.height + padding;
  }
  const thickness = Math.max(1, Math.round(unit * 0.14));
  return {
    draw(list, moment) {
      for (const line of lines) {
        const grown = easeOut((moment.entered - line.delay) / 0.9) * bounds.width;
        const x = rightToLeft ? bounds.x + bounds.width - grown : bounds.x;
        const area = { x, y: line.y, width: grown, height: thickness };
        list.box(area, palette.hairline, 1);
      }
      for (const part of parts) part.draw(list, moment);
    },
  };
}
