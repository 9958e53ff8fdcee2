import { luminance } from '../colour.ts';
import { basicColours, paletteOn } from '../palette.ts';
import type { Look } from './look.ts';

/** For any row: its picture fills the frame, and text stands on it at the lower left. */
export const PICTURE: Look = {
  name: 'picture',
  type: {
    title: {
      face: 'display',
      weight: 650,
      leading: 1.06,
      tracking: -0.03,
      size: 8.2,
      shortSize: 14,
    },
    text: {
      face: 'display',
      weight: 500,
      leading: 1.24,
      tracking: -0.016,
      size: 5.6,
      shortSize: 9,
    },
    heading: { face: 'display', weight: 650, leading: 1.12, tracking: -0.022, size: 6.2 },
    label: { face: 'text', weight: 500, leading: 1.32, tracking: 0, size: 3.8 },
    quote: { face: 'serif', weight: 420, leading: 1.14, tracking: -0.014, size: 7, shortSize: 9.5 },
  },
  align: 'start',
  anchor: 'middle',
  fillsWidth: false,
  ornament: 'bar',
  list: { numbers: true, lines: true, steps: false },
  countdown: 'ring',
  arrivals: ['rise', 'mask'],
  transitions: ['fade', 'rise'],
  wipeEdge: true,
  picture: { place: 'behind', share: 0.72 },
  palettes(theme) {
    const colours = basicColours(theme);
    const dark = luminance(colours.background) < 0.22;
    const gradient = dark ? 0.035 : 0.02;
    return [paletteOn({ ...colours, text: theme.text, gradient, glow: 1, grain: 2 })];
  },
};
