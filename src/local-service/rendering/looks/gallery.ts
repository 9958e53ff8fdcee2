import { fromHex, toHex } from '../colour.ts';
import { basicColours, paletteOn } from '../palette.ts';
import type { Look } from './look.ts';

/** For a museum, an estate agent, a menu: paper, much air, a serif face. */
export const GALLERY: Look = {
  name: 'gallery',
  type: {
    title: { face: 'serif', weight: 500, leading: 1.06, tracking: -0.022, size: 8, shortSize: 12 },
    text: { face: 'serif', weight: 420, leading: 1.3, tracking: -0.008, size: 5, shortSize: 7.6 },
    heading: { face: 'serif', weight: 500, leading: 1.12, tracking: -0.018, size: 6.2 },
    label: { face: 'text', weight: 600, leading: 1.4, tracking: 0.06, size: 3.3, caps: true },
    quote: { face: 'serif', weight: 440, leading: 1.16, tracking: -0.014, size: 6.4, shortSize: 9 },
  },
  align: 'start',
  anchor: 'middle',
  fillsWidth: false,
  ornament: 'rule',
  list: { numbers: false, lines: true, steps: false },
  countdown: 'ring',
  arrivals: ['reveal', 'mask'],
  transitions: ['wipe', 'rise'],
  wipeEdge: false,
  picture: { place: 'beside', share: 0.56 },
  palettes(theme) {
    const { accent } = basicColours(theme);
    const { h } = fromHex(accent);
    const background = theme.background ?? toHex({ l: 0.97, c: 0.01, h });
    const ground = { background, accent, text: theme.text, gradient: 0.008 };
    return [paletteOn({ ...ground, glow: 0.25, grain: 1.4 })];
  },
};
