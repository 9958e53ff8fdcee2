import { fromHex, luminance, mix, readable, toHex, withOpacity } from './colour.ts';
import type { Theme } from './storyboard.ts';

/** Film-lamp amber: the one accent unless the storyboard chooses another. */
const DEFAULT_ACCENT = '#ffb020';
/** Warm near-black. */
const DEFAULT_BACKGROUND = '#15120e';

/** How strongly the drifting light tints the background at its brightest. */
export const GLOW_OPACITY = { onDark: 0.18, onLight: 0.2 };

/** Every colour a video uses, as CSS colours. Text has AA contrast wherever the light drifts. */
export interface Palette {
  dark: boolean;
  /** The background where it is brightest and where it is darkest. */
  backgroundHigh: string;
  backgroundLow: string;
  /** The drifting light. */
  glow: string;
  /** Titles and body text: at least 4.5 : 1. */
  text: string;
  /** Subtitles, attributions: at least 4.5 : 1. */
  quiet: string;
  /** The accent as small text: at least 4.5 : 1. */
  accentText: string;
  /** The accent as shape or large numeral: at least 3 : 1. */
  accent: string;
  /** Lines that part things. */
  hairline: string;
}

/** Derives all colours from the few that a storyboard may choose. */
export function paletteOf(theme: Theme): Palette {
  const background = theme.background ?? DEFAULT_BACKGROUND;
  const base = fromHex(background);
  const dark = luminance(background) < 0.22;
  const lift = dark ? 0.035 : 0.02;
  const backgroundHigh = toHex({ ...base, l: base.l + lift });
  const backgroundLow = toHex({ ...base, l: base.l - lift, c: base.c * (dark ? 1 : 1.15) });
  const wanted = theme.accent ?? DEFAULT_ACCENT;
  const glow = wanted;
  const glowOpacity = dark ? GLOW_OPACITY.onDark : GLOW_OPACITY.onLight;
  const grounds = [
    backgroundHigh,
    backgroundLow,
    mix(backgroundHigh, glow, glowOpacity),
    mix(backgroundLow, glow, glowOpacity),
  ];
  const ink = toHex({ l: dark ? 0.965 : 0.21, c: 0.012, h: dark ? 85 : base.h });
  const text = readable(theme.text ?? ink, grounds, 4.5);
  const quiet = readable(mix(background, text, 0.68), grounds, 4.5);
  return {
    dark,
    backgroundHigh,
    backgroundLow,
    glow,
    text,
    quiet,
    accentText: readable(wanted, grounds, 4.5),
    accent: readable(wanted, grounds, 3),
    hairline: withOpacity(text, 0.16),
  };
}
