import { contrast, fromHex, luminance, mix, readable, toHex, withOpacity } from './colour.ts';
import type { Theme } from './storyboard.ts';

/** Amber. */
const DEFAULT_ACCENT = '#ffb020';
/** Warm near-black. */
const DEFAULT_BACKGROUND = '#15120e';

/** Opacity of the glow at its centre. */
const GLOW = { onDark: 0.18, onLight: 0.2 };
/** OKLCH lightness added at one end of the gradient and subtracted at the other. */
const GRADIENT = { onDark: 0.035, onLight: 0.02 };
const AA_TEXT = 4.5;
const AA_SHAPE = 3;

/** Every colour a video uses, as CSS colours. Text has AA contrast with and without the glow. */
export interface Palette {
  dark: boolean;
  /** The ends of the background's gradient. */
  backgroundHigh: string;
  backgroundLow: string;
  /** The colour of the glow. */
  glow: string;
  /** The glow's opacity at its centre. */
  glowOpacity: number;
  /** Titles and body text: at least 4.5 : 1. */
  text: string;
  /** Subtitles, attributions: at least 4.5 : 1. */
  secondaryText: string;
  /** The accent as small text: at least 4.5 : 1. */
  accentText: string;
  /** The accent as shape or large numeral: at least 3 : 1. */
  accent: string;
  /** Lines between items. */
  hairline: string;
}

/** Derives all colours from the theme of a storyboard. */
export function paletteOf(theme: Theme): Palette {
  const background = theme.background ?? DEFAULT_BACKGROUND;
  const accent = theme.accent ?? DEFAULT_ACCENT;
  const dark = luminance(background) < 0.22;
  const lit = litBackground(background, accent, dark);
  const hue = dark ? 85 : fromHex(background).h;
  const defaultText = toHex({ l: dark ? 0.965 : 0.21, c: 0.012, h: hue });
  const text = readable(theme.text ?? defaultText, lit.backgrounds, AA_TEXT);
  return {
    dark,
    backgroundHigh: lit.high,
    backgroundLow: lit.low,
    glow: accent,
    glowOpacity: lit.glowOpacity,
    text,
    secondaryText: readable(mix(background, text, 0.68), lit.backgrounds, AA_TEXT),
    accentText: readable(accent, lit.backgrounds, AA_TEXT),
    accent: readable(accent, lit.backgrounds, AA_SHAPE),
    hairline: withOpacity(text, 0.16),
  };
}

/**
 * The background's gradient and glow. On a medium grey with a strong accent, no text colour would
 * be readable both on the glow and beside it, so gradient and glow are weakened until black or
 * white is.
 */
function litBackground(background: string, accent: string, dark: boolean) {
  const base = fromHex(background);
  const gradient = dark ? GRADIENT.onDark : GRADIENT.onLight;
  const glow = dark ? GLOW.onDark : GLOW.onLight;
  const atStrength = (strength: number) => {
    const high = toHex({ ...base, l: base.l + gradient * strength });
    const low = toHex({ ...base, l: base.l - gradient * strength });
    const glowOpacity = glow * strength;
    const backgrounds = [high, low, mix(high, accent, glowOpacity), mix(low, accent, glowOpacity)];
    return { high, low, glowOpacity, backgrounds };
  };
  const readableOn = (backgrounds: readonly string[]) =>
    ['#ffffff', '#000000'].some((text) => backgrounds.every((b) => contrast(text, b) >= AA_TEXT));
  return (
    [1, 0.75, 0.5, 0.25].map(atStrength).find(({ backgrounds }) => readableOn(backgrounds)) ??
    atStrength(0)
  );
}
