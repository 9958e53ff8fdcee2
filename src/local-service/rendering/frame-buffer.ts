import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import type { DrawCommand } from './display-list.ts';
import { DisplayList } from './display-list.ts';
import type { Box } from './layout-context.ts';

/**
 * A picture that is redrawn only where a frame differs from the previous one. Most of a frame does
 * not change, and reading pixels back costs more than drawing them.
 */
export class FrameBuffer {
  readonly canvas: Canvas;
  readonly #context: SKRSContext2D;
  #commands: readonly DrawCommand[] = [];
  #isEmpty = true;

  constructor(width: number, height: number) {
    this.canvas = createCanvas(width, height);
    this.#context = this.canvas.getContext('2d');
  }

  /** Draws a frame. @returns the part that changed, in whole pixels; `undefined` if none did */
  show(drawContent: (list: DisplayList) => void): Box | undefined {
    const list = new DisplayList();
    drawContent(list);
    const changed = this.#isEmpty ? this.#whole : this.#difference(list.commands);
    this.#isEmpty = false;
    this.#commands = list.commands;
    if (!changed) return undefined;
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(changed.x, changed.y, changed.width, changed.height);
    context.clip();
    for (const command of list.commands) {
      if (overlap(clippedArea(command), changed)) draw(context, command);
    }
    context.restore();
    return changed;
  }

  get #whole(): Box {
    return { x: 0, y: 0, width: this.canvas.width, height: this.canvas.height };
  }

  /** The smallest box of whole pixels around all commands that were added, removed or changed. */
  #difference(commands: readonly DrawCommand[]): Box | undefined {
    const before = this.#commands;
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
    for (let i = 0; i < Math.max(commands.length, before.length); i++) {
      const [now, then] = [commands[i], before[i]];
      if (now && then && isSameCommand(now, then)) continue;
      if (now) add(clippedArea(now));
      if (then) add(clippedArea(then));
    }
    // One more pixel on every side, for anti-aliased edges.
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

function draw(context: SKRSContext2D, command: DrawCommand): void {
  const { area, clip } = command;
  if (clip) {
    context.save();
    context.beginPath();
    context.rect(clip.x, clip.y, clip.width, clip.height);
    context.clip();
  }
  context.globalAlpha = command.opacity;
  switch (command.kind) {
    case 'image': {
      const { x, y, width, height } = command.source;
      context.drawImage(
        command.canvas,
        x,
        y,
        width,
        height,
        area.x,
        area.y,
        area.width,
        area.height,
      );
      break;
    }
    case 'box':
      context.fillStyle = command.colour;
      context.fillRect(area.x, area.y, area.width, area.height);
      break;
    case 'arc': {
      const start = -Math.PI / 2;
      context.lineWidth = command.stroke;
      context.lineCap = 'round';
      context.strokeStyle = command.colour;
      context.beginPath();
      context.arc(command.x, command.y, command.radius, start, start + command.part * 2 * Math.PI);
      context.stroke();
      break;
    }
  }
  if (clip) context.restore();
}

/** The area that a command draws to. */
function clippedArea({ area, clip }: DrawCommand): Box {
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
  // One pixel of tolerance, for anti-aliased edges.
  return (
    a.x < b.x + b.width + 1 &&
    b.x < a.x + a.width + 1 &&
    a.y < b.y + b.height + 1 &&
    b.y < a.y + a.height + 1
  );
}

function isSameCommand(a: DrawCommand, b: DrawCommand): boolean {
  if (a.opacity !== b.opacity || !isSameBox(a.area, b.area)) return false;
  if (a.clip !== b.clip && !(a.clip && b.clip && isSameBox(a.clip, b.clip))) return false;
  switch (a.kind) {
    case 'image':
      return b.kind === 'image' && a.canvas === b.canvas && isSameBox(a.source, b.source);
    case 'box':
      return b.kind === 'box' && a.colour === b.colour;
    case 'arc':
      return (
        b.kind === 'arc' && a.colour === b.colour && a.part === b.part && a.stroke === b.stroke
      );
  }
}

function isSameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
