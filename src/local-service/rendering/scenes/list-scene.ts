import { easeOut, linear } from '../easing.ts';
import { type Box, type LayoutContext, sizesOf, styleOf, topIn } from '../layout-context.ts';
import { paleOpacity } from '../palette.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving } from './arrival.ts';
import { columnsOf, type RowPart } from './list-columns.ts';
import { type Moment, type SceneDrawing, together } from './scene-drawing.ts';

const ITEM_DELAY = 0.16;
/** All items are clear this long before a page ends. */
const STEPS_REST_SECONDS = 0.9;
/** Between two items above and below their line, in g. */
const PADDING = { least: 0.5, most: 2.6, mostUpright: 3.6 };

/**
 * Items under a heading, which appear one by one: numbered, in columns or separated by hairlines,
 * as the look says.
 */
export function listScene(
  scene: SceneOf<'list'>,
  firstNumber: number,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { g, palette, textLayout, look } = layout;
  const heading =
    scene.heading === undefined
      ? undefined
      : textLayout.fit(scene.heading, styleOf(look.type.heading, palette.text), {
          width: bounds.width,
          height: bounds.height * 0.3,
          ...sizesOf(look.type.heading, scene.heading, layout),
        });
  const above = heading ? heading.height + 3 * g : 0;
  const isUpright = layout.height > layout.width * 1.5;
  const most = (isUpright ? PADDING.mostUpright : PADDING.most) * g;
  const numbers = scene.items.map((_, index) => String(firstNumber + index).padStart(2, '0'));
  const sizes = sizesOf(look.type.text, 'x'.repeat(scene.items.length * 24), layout, 'running');
  const columns = columnsOf(scene.items, look.list.numbers ? numbers : undefined, layout, {
    width: bounds.width,
    height: bounds.height - above - 2 * PADDING.least * g * scene.items.length,
    style: styleOf(look.type.text, palette.text),
    ...sizes,
  });
  const rows = columns.rows.map((parts) => ({
    parts,
    height: Math.max(...parts.map(({ text }) => text.height)),
  }));
  const rowHeights = rows.reduce((sum, row) => sum + row.height, 0);
  const spare = (bounds.height - above - rowHeights) / (2 * rows.length);
  const padding = Math.max(0, Math.min(most, spare));
  const height = above + rowHeights + 2 * padding * rows.length;
  const top = topIn(bounds, height, layout);
  const drawings: SceneDrawing[] = [];
  if (heading) {
    const place = { x: bounds.x, y: top, width: bounds.width, align: look.align } as const;
    drawings.push(arriving(heading, place, layout, 0));
  }
  const lines: { y: number; delay: number }[] = [];
  const { rightToLeft } = columns;
  let y = top + above;
  for (const [index, row] of rows.entries()) {
    const delay = 0.14 + index * ITEM_DELAY;
    if (index > 0 && look.list.lines) lines.push({ y: Math.round(y), delay });
    y += padding;
    for (const part of row.parts) {
      const drawing = drawingOf(part, y, delay);
      const pale = paleOpacity(palette, part.text.style.colour);
      drawings.push(look.list.steps ? step(drawing, index, rows.length, pale) : drawing);
    }
    y += row.height + padding;
  }
  const thickness = Math.max(1, Math.round(g * 0.12));
  drawings.push({
    draw(list, moment) {
      for (const line of lines) {
        const grown = easeOut((moment.entered - line.delay) / 0.7) * bounds.width;
        const x = rightToLeft ? bounds.x + bounds.width - grown : bounds.x;
        list.box({ x, y: line.y, width: grown, height: thickness }, palette.hairline, 1);
      }
    },
  });
  return together(drawings);

  function drawingOf({ text, x, width, isEnd }: RowPart, rowTop: number, delay: number) {
    const left = bounds.x + (rightToLeft ? bounds.width - x - width : x);
    // A column at the end is aligned with the edge of the area.
    const shift = isEnd === rightToLeft ? 0 : width - text.width;
    const place = { x: left + shift, y: rowTop, width: text.width, align: 'start' } as const;
    return arriving(text, place, layout, delay, look.list.steps ? 'rise' : undefined);
  }
}

/** An item that is clear while it is its turn, and pale before and after; at the end all are clear. */
function step(drawing: SceneDrawing, index: number, count: number, pale: number): SceneDrawing {
  return {
    draw(list, moment) {
      const clear = clearness(moment, index, count);
      list.faded(pale + (1 - pale) * clear, () => drawing.draw(list, moment));
    },
  };
}

/** 0 for pale, 1 for clear. */
function clearness({ entered, length }: Moment, index: number, count: number): number {
  const first = 0.14 + count * ITEM_DELAY + 0.2;
  const each = (length - STEPS_REST_SECONDS - first) / count;
  // Too short to follow, or complete from the beginning.
  if (!Number.isFinite(entered) || each < 0.5) return 1;
  const from = index === 0 ? -1 : first + index * each;
  const until = first + (index + 1) * each;
  const settled = linear((entered - first + 0.25) / 0.25);
  const on = linear((entered - from) / 0.25) * (1 - linear((entered - until) / 0.25));
  const all = linear((entered - (length - STEPS_REST_SECONDS)) / 0.3);
  return Math.max(1 - settled, on, all);
}
