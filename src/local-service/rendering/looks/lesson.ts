import { fromHex, luminance, toHex } from '../colour.ts';
import { basicColours, paletteOn } from '../palette.ts';
import type { Look } from './look.ts';

/** For a teacher, a list, an explanation: one thing after the other, and the current one clearest. */
export const LESSON: Look = {
  name: 'lesson',
  type: {
    title: {
      face: 'display',
      weight: 680,
      leading: 1.06,
      tracking: -0.03,
      size: 8,
      shortSize: 12.5,
    },
    text: {
      face: 'display',
      weight: 500,
      leading: 1.28,
      tracking: -0.014,
      size: 5.2,
      shortSize: 8.4,
    },
    heading: { face: 'display', weight: 680, leading: 1.12, tracking: -0.022, size: 5.8 },
    label: { face: 'text', weight: 600, leading: 1.3, tracking: 0, size: 3.7 },
    quote: {
      face: 'serif',
      weight: 440,
      leading: 1.16,
      tracking: -0.012,
      size: 6.4,
      shortSize: 8.4,
    },
  },
  align: 'start',
  anchor: 'middle',
  fillsWidth: false,
  ornament: 'bar',
  list: { numbers: true, lines: false, steps: true },
  countdown: 'ring',
  arrivals: ['rise', 'reveal'],
  transitions: ['fade', 'rise'],
  wipeEdge: true,
  picture: { place: 'beside', share: 0.5 },
  palettes(theme) {
    const { accent } = basicColours(theme);
    const { h } = fromHex(accent);
    const background = theme.background ?? toHex({ l: 0.22, c: 0.04, h });
    const dark = luminance(background) < 0.22;
    const ground = { background, accent, text: theme.text, gradient: dark ? 0.02 : 0.012 };
    return [paletteOn({ ...ground, glow: 0.5, grain: 2 })];
  },
};
