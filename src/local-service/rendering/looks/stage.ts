import { fromHex } from '../colour.ts';
import { basicColours, paletteOn } from '../palette.ts';
import type { Look } from './look.ts';

const BLACK = '#0a0908';
/** In OKLCH. On a lighter accent, a lighter figure would be white. */
const LIGHT = 0.78;

/** For a band or an event: a poster in capitals, black and one colour. */
export const STAGE: Look = {
  name: 'stage',
  type: {
    title: {
      face: 'poster',
      weight: 400,
      leading: 1.08,
      tracking: 0,
      size: 15,
      shortSize: 30,
      caps: true,
    },
    text: {
      face: 'poster',
      weight: 400,
      leading: 1.14,
      tracking: 0.004,
      size: 6.4,
      shortSize: 11,
      caps: true,
    },
    heading: { face: 'poster', weight: 400, leading: 1.08, tracking: 0.005, size: 8, caps: true },
    label: { face: 'text', weight: 700, leading: 1.28, tracking: 0.01, size: 4.4 },
    quote: {
      face: 'poster',
      weight: 400,
      leading: 1.12,
      tracking: 0,
      size: 8,
      shortSize: 13,
      caps: true,
    },
  },
  align: 'start',
  anchor: 'bottom',
  fillsWidth: true,
  ornament: 'none',
  list: { numbers: false, lines: true, steps: false },
  countdown: 'plain',
  arrivals: ['scale', 'mask'],
  transitions: ['none', 'slide'],
  wipeEdge: false,
  picture: {
    place: 'behind',
    share: 1,
    filter: 'grayscale(1) contrast(1.2) brightness(0.9)',
    accentText: true,
  },
  figure: 'rings',
  palettes(theme) {
    const { accent } = basicColours(theme);
    const flat = { gradient: 0, grain: 4 };
    const background = theme.background ?? BLACK;
    return [
      paletteOn({
        ...flat,
        background,
        accent,
        text: theme.text ?? accent,
        glow: 0.6,
        figure: 0.07,
      }),
      paletteOn({
        ...flat,
        background: accent,
        accent: BLACK,
        text: BLACK,
        glow: 0,
        grain: 0,
        figure: fromHex(accent).l > LIGHT ? -0.07 : 0.06,
      }),
    ];
  },
};
