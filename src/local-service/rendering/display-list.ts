import type { Canvas } from '@napi-rs/canvas';
import type { Box } from './layout-context.ts';

/**
 * A command of a scene: draws a prepared canvas, a filled box or an arc. `FrameBuffer` compares the
 * commands of two frames and redraws only what differs.
 */
export type DrawCommand = ImageCommand | BoxCommand | ArcCommand;

interface Placed {
  /** In pixels; may be partly outside the picture. */
  area: Box;
  /** 0–1. */
  opacity: number;
  clip: Box | undefined;
}

interface ImageCommand extends Placed {
  kind: 'image';
  canvas: Canvas;
  /** The part of the canvas that fills `area`. */
  source: Box;
}

interface BoxCommand extends Placed {
  kind: 'box';
  colour: string;
}

interface ArcCommand extends Placed {
  kind: 'arc';
  colour: string;
  x: number;
  y: number;
  radius: number;
  stroke: number;
  /** Fraction of the circle that is drawn, clockwise from the top; 0–1. */
  part: number;
}

/** Records the draw commands of one frame. */
export class DisplayList {
  readonly commands: DrawCommand[] = [];
  #shift = { x: 0, y: 0 };
  #opacity = 1;
  #clip: Box | undefined;

  image(canvas: Canvas, x: number, y: number, opacity: number): void {
    const size = { width: canvas.width, height: canvas.height };
    this.imagePart(canvas, { x: 0, y: 0, ...size }, { x, y, ...size }, opacity);
  }

  imagePart(canvas: Canvas, source: Box, target: Box, opacity: number): void {
    if (opacity <= 0) return;
    this.commands.push({ kind: 'image', canvas, source, ...this.#placed(target, opacity) });
  }

  box(area: Box, colour: string, opacity: number): void {
    if (opacity <= 0 || area.width <= 0 || area.height <= 0) return;
    this.commands.push({ kind: 'box', colour, ...this.#placed(area, opacity) });
  }

  arc(
    shape: { x: number; y: number; radius: number; stroke: number; part: number },
    colour: string,
    opacity: number,
  ): void {
    if (opacity <= 0 || shape.part <= 0) return;
    const extent = shape.radius + shape.stroke;
    const area = {
      x: shape.x - extent,
      y: shape.y - extent,
      width: 2 * extent,
      height: 2 * extent,
    };
    const placed = this.#placed(area, opacity);
    this.commands.push({
      kind: 'arc',
      colour,
      ...shape,
      x: shape.x + this.#shift.x,
      y: shape.y + this.#shift.y,
      ...placed,
    });
  }

  /** Moves what `drawContent` draws by `x` and `y` pixels. */
  shifted(x: number, y: number, drawContent: () => void): void {
    const before = this.#shift;
    this.#shift = { x: before.x + Math.round(x), y: before.y + Math.round(y) };
    drawContent();
    this.#shift = before;
  }

  /** Draws what `drawContent` draws with this part of its opacity, 0–1. */
  faded(opacity: number, drawContent: () => void): void {
    const before = this.#opacity;
    this.#opacity *= opacity;
    if (this.#opacity > 0) drawContent();
    this.#opacity = before;
  }

  /** Clips what `drawContent` draws to `clip`, within any clip around it. */
  clipped(clip: Box, drawContent: () => void): void {
    const before = this.#clip;
    const moved = { ...clip, x: clip.x + this.#shift.x, y: clip.y + this.#shift.y };
    this.#clip = before ? intersection(before, moved) : moved;
    drawContent();
    this.#clip = before;
  }

  #placed(area: Box, opacity: number): Placed {
    return {
      area: { ...area, x: area.x + this.#shift.x, y: area.y + this.#shift.y },
      opacity: Math.min(1, opacity) * this.#opacity,
      clip: this.#clip,
    };
  }
}

function intersection(one: Box, other: Box): Box {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x),
    height: Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y),
  };
}
