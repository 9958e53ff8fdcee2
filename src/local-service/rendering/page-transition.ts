/** Draws two pages while one of them covers the other. */
import type { DisplayList } from './display-list.ts';
import { linear } from './easing.ts';
import type { PageTransition } from './looks/look.ts';
import type { Moment, SceneDrawing } from './scenes/scene-drawing.ts';
import type { Stage } from './stage.ts';

/** Between two texts while one wipes the other away, in g. */
const WIPE_GAP = 4;
/** How much sooner a text has gone than the next one has come. */
const LEAVING_PACE = 1.5;

/** A page at one point in time. */
export interface PageAt {
  readonly index: number;
  readonly drawing: SceneDrawing;
  readonly moment: Moment;
}

/** Two pages, one over the other. */
export interface Overlap {
  readonly under: PageAt;
  readonly over: PageAt;
  /** How far the upper one has covered the other: 0–1. */
  readonly passed: number;
  readonly transition: PageTransition;
  /** Whether the upper one is the first page, as in the first frame, at the end of a video that repeats. */
  readonly repeats: boolean;
  /** Since the video began. */
  readonly seconds: number;
}

/** Everything of a page that shows no other one. */
export function drawPage(list: DisplayList, stage: Stage, page: PageAt, seconds: number): void {
  drawOwnGround(list, stage, page, seconds);
  page.drawing.draw(list, page.moment);
}

export function drawOverlap(list: DisplayList, stage: Stage, overlap: Overlap): void {
  switch (overlap.transition) {
    case 'slide':
    case 'rise':
      drawPush(list, stage, overlap);
      break;
    case 'wipe':
      drawWipe(list, stage, overlap);
      break;
    case 'fade':
    case 'none':
      drawFade(list, stage, overlap);
      break;
  }
}

/** A background that both pages share stays; only their texts move on it. */
function drawPush(list: DisplayList, stage: Stage, overlap: Overlap): void {
  const { under, over, passed, transition, seconds } = overlap;
  const isShared = stage.isShared(under.index, over.index);
  if (isShared) drawSharedGround(list, stage, overlap);
  const zone = stage.textZoneOf(placeOf(overlap));
  const [across, down] = transition === 'slide' ? [zone.width, 0] : [0, zone.height];
  const draw = (page: PageAt) => {
    if (isShared) page.drawing.draw(list, page.moment);
    else drawPage(list, stage, page, seconds);
  };
  list.clipped(zone, () => {
    list.shifted(-passed * across, -passed * down, () => {
      list.faded(isShared ? leaving(passed) : 1, () => draw(under));
    });
    const left = 1 - passed;
    list.shifted(left * across, left * down, () => draw(over));
  });
}

/** The page underneath stays as it is until the other one has covered it. */
function drawWipe(list: DisplayList, stage: Stage, overlap: Overlap): void {
  const { under, over, passed, seconds } = overlap;
  const isShared = stage.isShared(under.index, over.index);
  const { palette, g, look } = stage.layoutOf(over.index);
  const zone = stage.textZoneOf(placeOf(overlap));
  const edge = Math.round(zone.x + passed * zone.width);
  const left = { ...zone, width: edge - zone.x };
  const rest = zone.width - left.width;
  // So that no letter of one text touches the other text.
  const gap = isShared && !look.wipeEdge ? Math.min(WIPE_GAP * g, rest) : 0;
  const right = { ...zone, x: edge + gap, width: rest - gap };
  if (isShared) {
    drawSharedGround(list, stage, overlap);
    const opacity = look.wipeEdge ? 1 : leaving(passed);
    list.faded(opacity, () => {
      list.clipped(right, () => under.drawing.draw(list, under.moment));
    });
    list.clipped(left, () => over.drawing.draw(list, over.moment));
  } else {
    list.clipped(right, () => drawPage(list, stage, under, seconds));
    list.clipped(left, () => drawPage(list, stage, over, seconds));
  }
  if (!look.wipeEdge) return;
  list.box({ ...zone, x: edge, width: Math.max(2, g * 0.5) }, palette.accent, 1);
}

/** Two texts are never seen through each other: one leaves before the other one comes. */
function drawFade(list: DisplayList, stage: Stage, overlap: Overlap): void {
  const { under, over, passed, seconds, repeats } = overlap;
  const isShared = stage.isShared(under.index, over.index);
  if (isShared) drawSharedGround(list, stage, overlap);
  else drawOwnGround(list, stage, under, seconds);
  list.faded(1 - linear(2 * passed), () => under.drawing.draw(list, under.moment));
  if (!isShared) {
    list.faded(passed, () => {
      if (repeats) stage.drawOpeningGround(list);
      else drawOwnGround(list, stage, over, seconds);
    });
  }
  const isComplete = !Number.isFinite(over.moment.entered);
  const comes = isComplete ? linear(2 * passed - 1) : 1;
  list.faded(comes, () => over.drawing.draw(list, over.moment));
}

/** The opacity of text that another one moves away: the two are not read as one. */
function leaving(passed: number): number {
  return 1 - linear(LEAVING_PACE * passed);
}

function drawOwnGround(list: DisplayList, stage: Stage, page: PageAt, seconds: number): void {
  stage.drawGround(list, { page: page.index }, seconds);
  page.drawing.drawScrim?.(list);
}

/** Drawn once: where it were faded over itself, it would be paler. */
function drawSharedGround(list: DisplayList, stage: Stage, overlap: Overlap): void {
  const { under, over, passed, seconds, repeats } = overlap;
  stage.drawGround(list, placeOf(overlap), seconds);
  if (repeats) list.faded(passed, () => stage.drawOpeningGround(list));
  list.faded(1 - passed, () => under.drawing.drawScrim?.(list));
  list.faded(passed, () => over.drawing.drawScrim?.(list));
}

function placeOf({ under, over, passed }: Overlap) {
  return { page: under.index, towards: { page: over.index, passed } };
}
