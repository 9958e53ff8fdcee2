import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(
  new URL('../../../src/renderer/design/tokens.css', import.meta.url),
  'utf8',
);

type Theme = 'light' | 'dark';

/** Relative luminance (WCAG 2.2) of a token in a theme, by way of OKLCH to linear sRGB. */
function luminance(token: string, theme: Theme): number {
  const number = '([\\d.]+)';
  const colour = `oklch\\(${number}% ${number} ${number}\\)`;
  const found = new RegExp(`--${token}: light-dark\\(\\s*${colour},\\s*${colour}\\s*\\);`).exec(
    css,
  );
  if (found === null) throw new Error(`There is no opaque pair of colours called --${token}.`);
  const [lightness = 0, chroma = 0, hue = 0] = found
    .slice(theme === 'light' ? 1 : 4)
    .map((text) => Number(text));
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness / 100 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness / 100 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness / 100 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [low = 0, high = 0] = [luminance(one, theme), luminance(other, theme)].sort(
    (first, second) => first - second,
  );
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ['frame', 'surface', 'raised', 'hover', 'selected'];
const pairs = (texts: string[], grounds: string[]): [string, string][] =>
  texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground]));

describe.each<Theme>(['light', 'dark'])('in the %s theme', (theme) => {
  it.each(pairs(['text', 'text-soft'], surfaces))('--%s on --%s is AAA', (text, ground) => {
    expect(contrast(text, ground, theme)).toBeGreaterThanOrEqual(7);
  });

  it.each([
    ...pairs(['text-faint', 'accent-text', 'good', 'bad', 'ask'], surfaces),
    ...pairs(['text', 'text-soft', 'bad'], ['bad-wash']),
    ...pairs(['text', 'text-soft', 'ask'], ['ask-wash']),
    ...pairs(['text', 'text-soft', 'accent-text'], ['warn-wash']),
    ...pairs(['text-soft', 'text-faint'], ['track']),
    ...pairs(['on-accent'], ['accent', 'accent-hover']),
  ])('--%s on --%s is AA', (text, ground) => {
    expect(contrast(text, ground, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs(['focus'], surfaces))('--%s beside --%s is visible', (line, ground) => {
    expect(contrast(line, ground, theme)).toBeGreaterThanOrEqual(3);
  });
});
