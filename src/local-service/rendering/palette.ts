import {
  contrast,
  fromHex,
  luminance,
  mix,
  opacityFor,
  type Oklch,
  readable,
  toHex,
  withOpacity,
} from './colour.ts';
import type { Theme } from './theme.ts';

/** Amber. */
const DEFAULT_ACCENT = '#ffb020';
/** Warm near-black. */
const DEFAULT_BACKGROUND = '#15120e';

/** WCAG 2, AA: the least contrast of text, and of shapes, with what is behind them. */
export const AA_TEXT = 4.5;
export const AA_SHAPE = 3;
/** By this part more for every step of grain, which makes the ground lighter and darker. */
const FOR_GRAIN = 0.02;
/** Of pale text: a little more, since grain and the encoder change what it is mixed with. */
const PALE_TEXT = 4.8;
/** OKLCH lightness that separates the glow from its background. */
const GLOW_LIGHTNESS = { onDark: 0.09, onLight: -0.03 };
/** Of the accent's chroma at most, and more than the background's at most. */
const GLOW_CHROMA = { ofAccent: 0.6, more: 0.05 };
/** The background's hue turns towards the accent's by this many degrees at most. */
const MAX_TURN = 25;
/** Below this chroma a background has no hue to keep. */
const GREY = 0.02;

/** Every colour a page uses, as CSS colours. Text has AA contrast with and without the glow. */
export interface Palette {
  dark: boolean;
  /** The ends of the background's gradient. */
  backgroundHigh: string;
  backgroundLow: string;
  /** The colour of the glow at its centre. */
  glow: string;
  /** The colour of the figure that moves on the background; `undefined` for none. */
  figure: string | undefined;
  /** Amplitude of the noise over the background, in 8-bit steps. */
  grain: number;
  /** Titles and body text: at least 4.5 : 1. */
  text: string;
  /** Subtitles, attributions: at least 4.5 : 1. */
  secondaryText: string;
  /** The accent as small text: at least 4.5 : 1. */
  accentText: string;
  /** The accent as shape or large numeral: at least 3 : 1. */
  accent: string;
  /** What text stands on: every colour has its contrast with each of these. */
  grounds: readonly string[];
  /** Lines between items. */
  hairline: string;
}

/** What a look says about the colours of a page; the rest follows. */
export interface Ground {
  /** `#rrggbb`. */
  readonly background: string;
  readonly accent: string;
  readonly text?: string | undefined;
  /** OKLCH lightness added at one end of the gradient and subtracted at the other. */
  readonly gradient: number;
  /** Of the strength that {@link GLOW_LIGHTNESS} gives: 0 for none. */
  readonly glow: number;
  readonly grain: number;
  /** OKLCH lightness of the figure, added to the background's; none when omitted. */
  readonly figure?: number;
}

/** The accent and background of a theme, or Spool's own. */
export function basicColours(theme: Theme): { background: string; accent: string } {
  return {
    background: theme.background ?? DEFAULT_BACKGROUND,
    accent: theme.accent ?? DEFAULT_ACCENT,
  };
}

/** Derives all colours of a page. */
export function paletteOn(ground: Ground): Palette {
  const { background, accent } = ground;
  const dark = luminance(background) < 0.22;
  const lit = litBackground(ground, dark);
  const { c, h } = fromHex(background);
  const defaultText = toHex({ l: dark ? 0.965 : 0.21, c: 0.012, h: c < GREY ? 85 : h });
  const ratio = AA_TEXT * (1 + FOR_GRAIN * ground.grain);
  const text = readable(ground.text ?? defaultText, lit.backgrounds, ratio);
  return {
    dark,
    backgroundHigh: lit.high,
    backgroundLow: lit.low,
    glow: lit.glow,
    figure: lit.figure,
    grain: ground.grain,
    text,
    secondaryText: readable(mix(background, text, 0.72), lit.backgrounds, ratio),
    accentText: readable(accent, lit.backgrounds, ratio),
    accent: readable(accent, lit.backgrounds, AA_SHAPE),
    grounds: lit.backgrounds,
    hairline: withOpacity(text, 0.2),
  };
}

/** The opacity, 0–1, of text in this colour that waits for its turn: still at least 4.5 : 1. */
export function paleOpacity({ grounds }: Pick<Palette, 'grounds'>, colour: string): number {
  return opacityFor(colour, grounds, PALE_TEXT);
}

/**
 * The background's gradient and glow, mixed in OKLCH so that they keep their colour. On a medium
 * grey with a strong accent, no text colour would be readable both on the glow and beside it, so
 * gradient and glow are weakened until black or white is.
 */
function litBackground({ background, accent, gradient, glow, figure }: Ground, dark: boolean) {
  const base = fromHex(background);
  const atStrength = (strength: number) => {
    const high = toHex({ ...base, l: base.l + gradient * strength });
    const low = toHex({ ...base, l: base.l - gradient * strength });
    const light = toHex(glowColour(base, fromHex(accent), dark, glow * strength));
    const drawn =
      figure === undefined ? undefined : toHex({ ...base, l: base.l + figure * strength });
    const backgrounds = [high, low, light, ...(drawn === undefined ? [] : [drawn])];
    return { high, low, glow: light, figure: drawn, backgrounds };
  };
  const readableOn = (backgrounds: readonly string[]) =>
    ['#ffffff', '#000000'].some((text) => backgrounds.every((b) => contrast(text, b) >= AA_TEXT));
  return (
    [1, 0.75, 0.5, 0.25].map(atStrength).find(({ backgrounds }) => readableOn(backgrounds)) ??
    atStrength(0)
  );
}

/** The background, lighter or darker and nearer to the accent. */
function glowColour(base: Oklch, accent: Oklch, dark: boolean, strength: number): Oklch {
  const most = Math.min(GLOW_CHROMA.ofAccent * accent.c, base.c + GLOW_CHROMA.more);
  const apart = ((accent.h - base.h + 540) % 360) - 180;
  const turn = base.c < GREY ? apart : Math.max(-MAX_TURN, Math.min(MAX_TURN, apart));
  const lightness = dark ? GLOW_LIGHTNESS.onDark : GLOW_LIGHTNESS.onLight;
  return {
    l: base.l + lightness * strength,
    c: base.c + (Math.max(base.c, most) - base.c) * Math.min(1, strength),
    h: base.h + turn * Math.min(1, strength),
  };
}
