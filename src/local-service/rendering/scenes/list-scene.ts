import { easeOut, linear } from '../easing.ts';
import {
  type Box,
  isUpright,
  type LayoutContext,
  sizesOf,
  styleOf,
  topIn,
} from '../layout-context.ts';
import { paleOpacity } from '../palette.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving } from './arrival.ts';
import { columnsOf, heightOf, type RowPart, rowHeight } from './list-columns.ts';
import { type Moment, type SceneDrawing, together } from './scene-drawing.ts';

const ITEM_DELAY = 0.16;
/** All items have had their turn this long before a page ends. */
const REST_SECONDS = 0.9;
/** A turn that is shorter cannot be followed. */
const MIN_TURN_SECONDS = 0.5;
/** Of the line that shows whose turn it is, in g. */
const TURN_LINE = 0.32;
/** Between two items above and below their line, in g. */
const PADDING = { least: 0.5, ofFew: 1.2, most: 2.6, mostUpright: 3.6 };
/** So many items of an upright frame have `ofFew` at least. */
const FEW = 5;
/** Above and below a list in a wide frame, in parts of its area's height. */
const AIR = 0.05;

/**
 * Items under a heading, which appear one by one: numbered, in columns or separated by hairlines,
 * as the look says.
 *
 * @param parts all pages of the list: they have one size of text, and their headings one place
 */
export function listScene(
  scene: SceneOf<'list'>,
  parts: readonly SceneOf<'list'>[],
  layout: LayoutContext,
  whole: Box,
): SceneDrawing {
  const { g, palette, textLayout, look } = layout;
  const bounds = layout.width > layout.height ? withAir(whole) : whole;
  const heading =
    scene.heading === undefined
      ? undefined
      : textLayout.fit(scene.heading, styleOf(look.type.heading, palette.text), {
          width: bounds.width,
          height: bounds.height * 0.3,
          ...sizesOf(look.type.heading, scene.heading, layout),
        });
  const above = heading ? heading.height + 3 * g : 0;
  const most = isUpright(layout) ? PADDING.mostUpright : PADDING.most;
  const count = Math.max(...parts.map(({ items }) => items.length));
  const least = isUpright(layout) && count <= FEW ? PADDING.ofFew : PADDING.least;
  const sizes = sizesOf(look.type.text, 'x'.repeat(count * 24), layout, 'running');
  const { pages, rightToLeft } = columnsOf(parts, layout, {
    width: bounds.width,
    height: bounds.height - above,
    padding: least * g,
    style: styleOf(look.type.text, palette.text),
    ...sizes,
    usual: look.type.text.size * g * layout.textScale,
  });
  const rows = pages[parts.indexOf(scene)] ?? [];
  const spares = pages.map((page) => bounds.height - above - heightOf(page, 0));
  const spare = Math.min(...spares.map((each, at) => each / (2 * (pages[at]?.length ?? 1))));
  const padding = Math.max(0, Math.min(most * g, spare));
  const height = above + Math.max(...pages.map((page) => heightOf(page, padding)));
  const top = topIn(bounds, height, layout);
  const drawings: SceneDrawing[] = [];
  if (heading) {
    const place = { x: bounds.x, y: top, width: bounds.width, align: look.align } as const;
    drawings.push(arriving(heading, place, layout, 0));
  }
  const lines: { y: number; delay: number }[] = [];
  const thick = Math.max(2, Math.round(TURN_LINE * g));
  const ends: number[] = [];
  let y = top + above;
  for (const [index, row] of rows.entries()) {
    const delay = 0.14 + index * ITEM_DELAY;
    if (index > 0 && look.list.lines) lines.push({ y: Math.round(y), delay });
    y += padding;
    for (const part of row) {
      const drawing = drawingOf(part, y, delay);
      const pale = paleOpacity(palette, part.text.style.colour);
      const takesTurns = look.list.steps && !layout.isStill;
      drawings.push(takesTurns ? step(drawing, index, rows.length, pale) : drawing);
    }
    y += rowHeight(row) + padding;
    // On the line between two items; within the area under the last one.
    ends.push(Math.round(index < rows.length - 1 ? y : Math.min(y, bottomOf(bounds)) - thick));
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
  if (!layout.isStill) drawings.push(turnLine(ends));
  return together(drawings);

  /** Under the item whose turn it is: as long as the part of the turn that passed. */
  function turnLine(lineTops: readonly number[]): SceneDrawing {
    return {
      draw(list, moment) {
        for (const [index, lineTop] of lineTops.entries()) {
          const { from, until } = turnOf(index, lineTops.length, moment.length);
          if (until - from < MIN_TURN_SECONDS) return;
          const left = 1 - linear((moment.seconds - until) / 0.25);
          const width = Math.round(linear((moment.seconds - from) / (until - from)) * bounds.width);
          const x = rightToLeft ? bounds.x + bounds.width - width : bounds.x;
          list.box({ x, y: lineTop, width, height: thick }, palette.accent, left);
        }
      },
    };
  }

  function drawingOf({ text, x, y: below, width, isEnd }: RowPart, rowTop: number, delay: number) {
    const left = bounds.x + (rightToLeft ? bounds.width - x - width : x);
    // A column at the end is aligned with the edge of the area.
    const shift = isEnd === rightToLeft ? 0 : width - text.width;
    const place = {
      x: left + shift,
      y: rowTop + below,
      width: text.width,
      align: 'start',
    } as const;
    return arriving(text, place, layout, delay, look.list.steps ? 'rise' : undefined);
  }
}

/** A list that is as high as its area looks crammed in a wide frame. */
function withAir(box: Box): Box {
  const air = box.height * AIR;
  return { ...box, y: box.y + air, height: box.height - 2 * air };
}

function bottomOf({ y, height }: Box): number {
  return y + height;
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

/** When an item is spoken of, in seconds since the page began. */
function turnOf(index: number, count: number, length: number): { from: number; until: number } {
  const first = 0.14 + count * ITEM_DELAY + 0.2;
  const each = (length - REST_SECONDS - first) / count;
  return { from: first + index * each, until: first + (index + 1) * each };
}

/** 0 for pale, 1 for clear. */
function clearness({ seconds, length }: Moment, index: number, count: number): number {
  const { from, until } = turnOf(index, count, length);
  if (until - from < MIN_TURN_SECONDS) return 1;
  const begun = linear((seconds - turnOf(0, count, length).from + 0.25) / 0.25);
  const on = linear((seconds - (index === 0 ? -1 : from)) / 0.25);
  const over = linear((seconds - until) / 0.25);
  const all = linear((seconds - (length - REST_SECONDS)) / 0.3);
  return Math.max(1 - begun, on * (1 - over), all);
}
