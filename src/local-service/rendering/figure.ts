/** Draws a shape in a tone of the background that moves slowly, for pages without a picture. */
import type { DisplayList } from './display-list.ts';
import type { FigureKind } from './looks/look.ts';

/** Its middle, in parts of the frame: text stands at the left. */
const MIDDLE = { x: 0.92, y: 0.86 };
/** Of the disc, in parts of √(width × height). */
const DISC_RADIUS = { least: 0.44, most: 0.58 };
/** From its smallest size to the largest one and back. */
const DISC_SECONDS = 12;
/** Between two rings, in parts of √(width × height); each is half as wide. */
const RING_DISTANCE = 0.24;
/** In which a ring gets to where the next one is: two bars of the music. */
const RING_SECONDS = 3.9;
const RINGS = 6;

/** @param seconds since the video began; 0 for a figure that stands still */
export function drawFigure(
  list: DisplayList,
  kind: FigureKind,
  { width, height }: { readonly width: number; readonly height: number },
  colour: string,
  seconds: number,
): void {
  const size = Math.sqrt(width * height);
  const middle = { x: width * MIDDLE.x, y: height * MIDDLE.y };
  if (kind === 'disc') {
    const grown = (1 - Math.cos((seconds / DISC_SECONDS) * 2 * Math.PI)) / 2;
    const radius = size * (DISC_RADIUS.least + (DISC_RADIUS.most - DISC_RADIUS.least) * grown);
    // A ring without a hole.
    list.arc({ ...middle, radius: radius / 2, stroke: radius, part: 1 }, colour, 1);
    return;
  }
  const distance = size * RING_DISTANCE;
  for (let ring = 0; ring < RINGS; ring++) {
    const radius = distance * (ring + ((seconds / RING_SECONDS) % 1));
    list.arc({ ...middle, radius, stroke: Math.min(distance / 2, 2 * radius), part: 1 }, colour, 1);
  }
}
