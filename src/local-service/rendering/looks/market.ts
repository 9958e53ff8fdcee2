import { fromHex, toHex } from '../colour.ts';
import { basicColours, paletteOn } from '../palette.ts';
import type { Look } from './look.ts';

/** The accent as a ground: this light at least and at most, in OKLCH. */
const GROUND_LIGHTNESS = { least: 0.62, most: 0.86 };
/** Beside it: nearly white. */
const TINT = { l: 0.96, c: 0.02 };

/** For a shop or an offer: flat colour, large words, prices that stand out. */
export const MARKET: Look = {
  name: 'market',
  type: {
    title: {
      face: 'grotesque',
      weight: 800,
      leading: 0.98,
      tracking: -0.035,
      size: 9.5,
      shortSize: 16,
    },
    text: {
      face: 'display',
      weight: 560,
      leading: 1.2,
      tracking: -0.018,
      size: 5.4,
      shortSize: 9.5,
    },
    heading: { face: 'grotesque', weight: 800, leading: 1.02, tracking: -0.03, size: 8 },
    label: { face: 'text', weight: 600, leading: 1.28, tracking: -0.005, size: 4.2 },
    quote: {
      face: 'grotesque',
      weight: 700,
      leading: 1.06,
      tracking: -0.025,
      size: 6.8,
      shortSize: 9.5,
    },
  },
  align: 'start',
  anchor: 'middle',
  fillsWidth: false,
  ornament: 'none',
  list: { numbers: false, lines: true, steps: false },
  countdown: 'plain',
  arrivals: ['words', 'rise'],
  transitions: ['slide', 'rise'],
  wipeEdge: true,
  picture: { place: 'beside', share: 0.56 },
  figure: 'disc',
  palettes(theme) {
    const { accent } = basicColours(theme);
    const colour = fromHex(accent);
    const l = Math.min(GROUND_LIGHTNESS.most, Math.max(GROUND_LIGHTNESS.least, colour.l));
    const tint = toHex({ ...TINT, c: Math.min(TINT.c, colour.c), h: colour.h });
    const flat = { gradient: 0, glow: 0, grain: 0, text: theme.text };
    const block = theme.background ?? toHex({ ...colour, l });
    return [
      paletteOn({
        ...flat,
        background: block,
        accent: theme.background ? accent : tint,
        figure: 0.05,
      }),
      paletteOn({ ...flat, background: tint, accent, figure: -0.035 }),
    ];
  },
};
