import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import type { DrawCommand } from './display-list.ts';
import { DisplayList } from './display-list.ts';
import type { Box } from './layout-context.ts';

/** Rows of a picture: from `top` on, `height` of them. */
export interface Rows {
  top: number;
  height: number;
}

/**
 * A picture that is redrawn only where a frame differs from the one before. Designed pictures
 * mostly stand still, and reading pixels back costs more than drawing them.
 */
export class FrameBuffer {
  readonly canvas: Canvas;
  readonly #context: SKRSContext2D;
  #marks: readonly DrawCommand[] = [];
  #blank = true;

  constructor(width: number, height: number) {
    this.canvas = createCanvas(width, height);
    this.#context = this.canvas.getContext('2d');
  }

  /** Shows what `paint` paints. Returns the rows that changed, undefined when none did. */
  show(paint: (list: DisplayList) => void): Rows | undefined {
    const list = new DisplayList();
    paint(list);
    const changed = this.#blank ? this.#whole : this.#difference(list.commands);
    this.#blank = false;
    this.#marks = list.commands;
    if (!changed) return undefined;
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(changed.x, changed.y, changed.width, changed.height);
    context.clip();
    for (const mark of list.commands) {
      if (overlap(shown(mark), changed)) draw(context, mark);
    }
    context.restore();
    return { top: changed.y, height: changed.height };
  }

  get #whole(): Box {
    return { x: 0, y: 0, width: this.canvas.width, height: this.canvas.height };
  }

  /** The smallest box of whole pixels around everything that came, went or moved. */
  #difference(marks: readonly DrawCommand[]): Box | undefined {
    const before = this.#marks;
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    const add = ({ x, y, width, height }: Box) => {
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x + width);
      bottom = Math.max(bottom, y + height);
    };
    for (let i = 0; i < Math.max(marks.length, before.length); i++) {
      const [now, then] = [marks[i], before[i]];
      if (now && then && same(now, then)) continue;
      if (now) add(shown(now));
      if (then) add(shown(then));
    }
    // A pixel more on every side, for edges that fall between pixels.
    const box = {
      left: Math.max(0, Math.floor(left) - 1),
      top: Math.max(0, Math.floor(top) - 1),
      right: Math.min(this.canvas.width, Math.ceil(right) + 1),
      bottom: Math.min(this.canvas.height, Math.ceil(bottom) + 1),
    };
    if (box.right <= box.left || box.bottom <= box.top) return undefined;
    return {
      x: box.left,
      y: box.top,
      width: box.right - box.left,
      height: box.bottom - box.top,
    };
  }
}

function draw(context: SKRSContext2D, mark: DrawCommand): void {
  const { area, clip } = mark;
  if (clip) {
    context.save();
    context.beginPath();
    context.rect(clip.x, clip.y, clip.width, clip.height);
    context.clip();
  }
  context.globalAlpha = mark.opacity;
  switch (mark.kind) {
    case 'image': {
      const { x, y, width, height } = mark.source;
      const to = area;
      context.drawImage(mark.canvas, x, y, width, height, to.x, to.y, to.width, to.height);
      break;
    }
    case 'box':
      context.fillStyle = mark.colour;
      context.fillRect(area.x, area.y, area.width, area.height);
      break;
    case 'arc': {
      const start = -Math.PI / 2;
      context.lineWidth = mark.stroke;
      context.lineCap = 'round';
      context.strokeStyle = mark.colour;
      context.beginPath();
      context.arc(mark.x, mark.y, mark.radius, start, start + mark.part * 2 * Math.PI);
      context.stroke();
      break;
    }
  }
  if (clip) context.restore();
}

/** The part of the picture in which a mark can be seen. */
function shown({ area, clip }: DrawCommand): Box {
  if (!clip) return area;
  const x = Math.max(area.x, clip.x);
  const y = Math.max(area.y, clip.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(area.x + area.width, clip.x + clip.width) - x),
    height: Math.max(0, Math.min(area.y + area.height, clip.y + clip.height) - y),
  };
}

function overlap(a: Box, b: Box): boolean {
  // A pixel of tolerance: edges between pixels colour the pixel beyond.
  return (
    a.x < b.x + b.width + 1 &&
    b.x < a.x + a.width + 1 &&
    a.y < b.y + b.height + 1 &&
    b.y < a.y + a.height + 1
  );
}

function same(a: DrawCommand, b: DrawCommand): boolean {
  if (a.opacity !== b.opacity || !sameBox(a.area, b.area)) return false;
  if (a.clip !== b.clip && !(a.clip && b.clip && sameBox(a.clip, b.clip))) return false;
  switch (a.kind) {
    case 'image':
      return b.kind === 'image' && a.canvas === b.canvas && sameBox(a.source, b.source);
    case 'box':
      return b.kind === 'box' && a.colour === b.colour;
    case 'arc':
      return (
        b.kind === 'arc' && a.colour === b.colour && a.part === b.part && a.stroke === b.stroke
      );
  }
}

function sameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
