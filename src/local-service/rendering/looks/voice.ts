import { fromHex, toHex } from '../colour.ts';
import { basicColours, paletteOn } from '../palette.ts';
import type { Look } from './look.ts';

/** For a podcast or a quote: words that light up as they are spoken, over a soft picture. */
export const VOICE: Look = {
  name: 'voice',
  type: {
    title: { face: 'serif', weight: 420, leading: 1.08, tracking: -0.02, size: 8.5, shortSize: 13 },
    text: { face: 'serif', weight: 420, leading: 1.24, tracking: -0.012, size: 6.2, shortSize: 10 },
    heading: { face: 'serif', weight: 460, leading: 1.14, tracking: -0.016, size: 6 },
    label: { face: 'text', weight: 500, leading: 1.32, tracking: 0.004, size: 3.7 },
    quote: {
      face: 'serif',
      weight: 420,
      leading: 1.16,
      tracking: -0.016,
      size: 7.4,
      shortSize: 11,
    },
  },
  align: 'start',
  anchor: 'middle',
  fillsWidth: false,
  ornament: 'none',
  list: { numbers: false, lines: false, steps: true },
  countdown: 'ring',
  arrivals: ['lit'],
  transitions: ['fade', 'wipe'],
  wipeEdge: false,
  picture: { place: 'behind', share: 0.64, blur: 1.8, duotone: true, scrim: 0.1 },
  palettes(theme) {
    const { accent } = basicColours(theme);
    const { c, h } = fromHex(accent);
    const background = theme.background ?? toHex({ l: 0.25, c: Math.min(0.09, c * 0.6), h });
    return [
      paletteOn({ background, accent, text: theme.text, gradient: 0.05, glow: 1.2, grain: 2 }),
    ];
  },
};
