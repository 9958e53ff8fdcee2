/** A colour in OKLCH: perceived lightness 0–1, chroma 0–about 0.37, hue in degrees. */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const gamma = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

/** Reads `#rrggbb`. */
export function fromHex(hex: string): Oklch {
  const [r, g, b] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: (Math.atan2(bb, a) * 180) / Math.PI,
  };
}

/** Writes `#rrggbb`. A colour outside of sRGB loses chroma, not hue or lightness. */
export function toHex(colour: Oklch): string {
  const l = Math.min(1, Math.max(0, colour.l));
  let low = 0;
  let high = colour.c;
  if (!inGamut(toLinear({ ...colour, l }))) {
    for (let i = 0; i < 14; i++) {
      const c = (low + high) / 2;
      if (inGamut(toLinear({ l, c, h: colour.h }))) low = c;
      else high = c;
    }
  } else low = high;
  const hex = toLinear({ l, c: low, h: colour.h }).map((v) =>
    Math.round(gamma(Math.min(1, Math.max(0, v))) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}

/** `over` composited on `under` with an opacity of 0–1. Both `#rrggbb`. */
export function mix(under: string, over: string, opacity: number): string {
  const [from, to] = [bytesOf(under), bytesOf(over)];
  const mixed = from.map((v, i) => Math.round(v + ((to[i] ?? v) - v) * opacity));
  return `#${mixed.map((v) => v.toString(16).padStart(2, '0')).join('')}`;
}

/** `#rrggbb` with an opacity, as CSS writes it. */
export function withOpacity(hex: string, opacity: number): string {
  return `rgba(${bytesOf(hex).join(',')},${opacity})`;
}

/** WCAG 2 contrast of two `#rrggbb` colours, 1–21. AA requires 4.5 for text, 3 for large text. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** WCAG 2 relative luminance of `#rrggbb`, 0–1. */
export function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The least opacity of black, 0–1, that makes a luminance no higher than `max`: colours are mixed as
 * they are encoded.
 */
export function blackOver(of: number, max: number): number {
  return of <= max ? 0 : 1 - gamma(max) / gamma(of);
}

/** The same for white and a luminance that is at least `min`. */
export function whiteOver(of: number, min: number): number {
  return of >= min ? 0 : (gamma(min) - gamma(of)) / (1 - gamma(of));
}

/**
 * Changes the lightness of `hex` as little as possible, so that its contrast with each of
 * `backgrounds` is at least `ratio`. If no lightness suffices, returns black or white, whichever
 * has more contrast.
 */
export function readable(hex: string, backgrounds: readonly string[], ratio: number): string {
  const worst = (candidate: string) => Math.min(...backgrounds.map((b) => contrast(candidate, b)));
  if (worst(hex) >= ratio) return hex;
  const colour = fromHex(hex);
  for (let step = 1; step <= 50; step++) {
    for (const sign of [1, -1]) {
      const l = colour.l + (sign * step) / 50;
      if (l < 0 || l > 1) continue;
      const candidate = toHex({ ...colour, l });
      if (worst(candidate) >= ratio) return candidate;
    }
  }
  return worst('#ffffff') >= worst('#000000') ? '#ffffff' : '#000000';
}

/** The least opacity from 0.5 on at which `text` has this contrast with each of `backgrounds`. */
export function opacityFor(text: string, backgrounds: readonly string[], ratio: number): number {
  for (let opacity = 0.5; opacity < 1; opacity += 0.02) {
    if (backgrounds.every((b) => contrast(mix(b, text, opacity), b) >= ratio)) return opacity;
  }
  return 1;
}

function toLinear({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const ll = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const mm = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const ss = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * ll - 3.3077115913 * mm + 0.2309699292 * ss,
    -1.2684380046 * ll + 2.6097574011 * mm - 0.3413193965 * ss,
    -0.0041960863 * ll - 0.7034186147 * mm + 1.707614701 * ss,
  ];
}

function inGamut(rgb: Rgb): boolean {
  return rgb.every((v) => v >= -0.0005 && v <= 1.0005);
}

function bytesOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function linearOf(hex: string): Rgb {
  const [r, g, b] = bytesOf(hex);
  return [linear(r / 255), linear(g / 255), linear(b / 255)];
}
