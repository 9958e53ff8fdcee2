/** Puts a scene on a picture: behind its text, the picture is darkened as far as it needs. */
import type { Canvas } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { DisplayList } from '../display-list.ts';
import type { Box, LayoutContext } from '../layout-context.ts';
import type { Look } from '../looks/look.ts';
import { paleOpacity, type Palette } from '../palette.ts';
import { luminanceBehind, type MeasuredPicture } from '../picture-backdrop.ts';
import { blackOver, contrast, fromHex, luminance, toHex } from '../colour.ts';
import type { SceneDrawing } from './scene-drawing.ts';

/** WCAG 2, AA: the contrast of text with what is behind it. */
const CONTRAST = 4.5;
/** A little more, since the encoder changes colours slightly. */
const MARGIN = 1.03;
/** In OKLCH, of text over a picture. */
const LEAST_LIGHTNESS = 0.72;
/** The opacity of text that waits for its turn: a picture is dark enough for it. */
const PALE = 0.7;
/** The part of the pixels behind the text that are at most as bright as the one that counts. */
const PERCENTILE = 0.97;
/** How far the darkening fades out, in parts of the frame's height. */
const FADE = 0.3;
/** At rest, every scene shows all of its text. */
const AT_REST = 60;

/**
 * Colours over a picture: text is white, or a light kind of the accent; the accent remains in
 * shapes.
 */
export function paletteOverPicture(palette: Palette, look: Look): Palette {
  const accent = fromHex(palette.accent);
  const text =
    look.picture.accentText === true
      ? toHex({ ...accent, l: Math.max(accent.l, LEAST_LIGHTNESS) })
      : '#ffffff';
  const hasPaleText = look.list.steps || look.arrivals.includes('lit');
  return {
    ...palette,
    dark: true,
    text,
    secondaryText: '#ffffff',
    accentText: text,
    grounds: [lightestBehind(text, hasPaleText ? PALE : 1)],
    hairline: 'rgba(255,255,255,0.35)',
  };
}

/** The lightest grey on which text has its contrast, also at this opacity. */
function lightestBehind(text: string, opacity: number): string {
  for (let level = 255; level > 0; level--) {
    const grey = `#${level.toString(16).padStart(2, '0').repeat(3)}`;
    const isReadable =
      luminance(grey) < luminance(text) &&
      contrast(text, grey) >= CONTRAST * MARGIN &&
      paleOpacity({ grounds: [grey] }, text) <= opacity;
    if (isReadable) return grey;
  }
  return '#000000';
}

/** @param ground the lightest grey that the picture may have behind text */
export function overPicture(
  scene: SceneDrawing,
  { width, height }: Pick<LayoutContext, 'width' | 'height'>,
  measured: MeasuredPicture,
  ground: string,
): SceneDrawing {
  const area = drawnArea(scene);
  if (area === undefined) return scene;
  const brightest = luminanceBehind(area, { width, height }, measured, PERCENTILE);
  const opacity = blackOver(brightest, luminance(ground));
  if (opacity === 0) return scene;
  const scrim = scrimOf(area, height, opacity);
  return {
    drawScrim(list) {
      const source = { x: 0, y: 0, width: 1, height };
      list.imagePart(scrim, source, { x: 0, y: 0, width, height }, 1);
    },
    draw(list, moment) {
      scene.draw(list, moment);
    },
  };
}

/** The box around everything that the scene shows; `undefined` if it shows nothing. */
function drawnArea(scene: SceneDrawing): Box | undefined {
  const list = new DisplayList();
  scene.draw(list, { seconds: AT_REST, length: 2 * AT_REST, entered: Infinity });
  if (list.commands.length === 0) return undefined;
  const areas = list.commands.map(({ area }) => area);
  const x = Math.min(...areas.map((area) => area.x));
  const y = Math.min(...areas.map((area) => area.y));
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const bottom = Math.max(...areas.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** One column of black, as opaque as it must be behind the area and fading out above and below. */
function scrimOf({ y: top, height: areaHeight }: Box, height: number, opacity: number): Canvas {
  const bottom = top + areaHeight;
  const reachesDown = bottom > height * 0.6;
  const canvas = createCanvas(1, height);
  const context = canvas.getContext('2d');
  for (let y = 0; y < height; y++) {
    const above = (top - y) / (FADE * height);
    const below = reachesDown ? 0 : (y - bottom) / (FADE * height);
    const away = Math.min(1, Math.max(0, above, below));
    const eased = 1 - away * away * (3 - 2 * away);
    context.fillStyle = `rgba(0,0,0,${opacity * eased})`;
    context.fillRect(0, y, 1, 1);
  }
  return canvas;
}
