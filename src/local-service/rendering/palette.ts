import { contrast, fromHex, luminance, mix, readable, toHex, withOpacity } from './colour.ts';
import type { Theme } from './storyboard.ts';

/** Film-lamp amber: the one accent unless the storyboard chooses another. */
const DEFAULT_ACCENT = '#ffb020';
/** Warm near-black. */
const DEFAULT_BACKGROUND = '#15120e';

/** How strongly the drifting light tints the background at its brightest. */
const GLOW = { onDark: 0.18, onLight: 0.2 };
/** How far the background slopes from its brightest to its darkest, in OKLCH lightness each way. */
const SLOPE = { onDark: 0.035, onLight: 0.02 };
const AA_TEXT = 4.5;
const AA_SHAPE = 3;

/** Every colour a video uses, as CSS colours. Text has AA contrast wherever the light drifts. */
export interface Palette {
  dark: boolean;
  /** The background where it is brightest and where it is darkest. */
  backgroundHigh: string;
  backgroundLow: string;
  /** The drifting light. */
  glow: string;
  /** Its opacity where it is brightest. */
  glowOpacity: number;
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
  const accent = theme.accent ?? DEFAULT_ACCENT;
  const dark = luminance(background) < 0.22;
  const light = litBackground(background, accent, dark);
  const hue = dark ? 85 : fromHex(background).h;
  const ink = toHex({ l: dark ? 0.965 : 0.21, c: 0.012, h: hue });
  const text = readable(theme.text ?? ink, light.grounds, AA_TEXT);
  return {
    dark,
    backgroundHigh: light.high,
    backgroundLow: light.low,
    glow: accent,
    glowOpacity: light.glowOpacity,
    text,
    quiet: readable(mix(background, text, 0.68), light.grounds, AA_TEXT),
    accentText: readable(accent, light.grounds, AA_TEXT),
    accent: readable(accent, light.grounds, AA_SHAPE),
    hairline: withOpacity(text, 0.16),
  };
}

/**
 * The background with its slope and light. On a middling grey with a strong accent no text would
 * read both in the light and beside it: there, both are made weaker until black or white does.
 */
function litBackground(background: string, accent: string, dark: boolean) {
  const base = fromHex(background);
  const slope = dark ? SLOPE.onDark : SLOPE.onLight;
  const glow = dark ? GLOW.onDark : GLOW.onLight;
  const lit = (strength: number) => {
    const high = toHex({ ...base, l: base.l + slope * strength });
    const low = toHex({ ...base, l: base.l - slope * strength });
    const glowOpacity = glow * strength;
    const grounds = [high, low, mix(high, accent, glowOpacity), mix(low, accent, glowOpacity)];
    return { high, low, glowOpacity, grounds };
  };
  const readableOn = (grounds: readonly string[]) =>
    ['#ffffff', '#000000'].some((ink) => grounds.every((g) => contrast(ink, g) >= AA_TEXT));
  return [1, 0.75, 0.5, 0.25].map(lit).find(({ grounds }) => readableOn(grounds)) ?? lit(0);
}
