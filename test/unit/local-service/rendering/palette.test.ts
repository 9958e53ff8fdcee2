import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contrast,
  fromHex,
  mix,
  readable,
  toHex,
} from '../../../../src/local-service/rendering/colour.ts';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import { paleOpacity } from '../../../../src/local-service/rendering/palette.ts';
import { LOOKS } from '../../../../src/local-service/rendering/looks/looks.ts';

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('colours', () => {
  it('are unchanged by conversion to OKLCH and back', () => {
    fc.assert(
      fc.property(hex, (colour) => {
        expect(toHex(fromHex(colour))).toBe(colour);
      }),
    );
  });

  it('have the contrast of WCAG', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });

  it('that have enough contrast stay unchanged', () => {
    expect(readable('#ffb020', ['#15120e'], 4.5)).toBe('#ffb020');
  });
});

describe('the palettes of every look', () => {
  it.each(LOOK_NAMES)('have AA contrast for any theme, with and without the glow: %s', (look) => {
    const theme = fc.record({ accent: hex, background: hex, text: hex }, { requiredKeys: [] });
    fc.assert(
      fc.property(theme, (chosen) => {
        for (const palette of LOOKS[look].palettes(chosen)) {
          for (const background of [palette.backgroundHigh, palette.backgroundLow, palette.glow]) {
            for (const colour of [palette.text, palette.secondaryText, palette.accentText]) {
              expect(contrast(colour, background)).toBeGreaterThanOrEqual(4.5);
              const opacity = paleOpacity(palette, colour);
              const pale = mix(background, colour, opacity);
              expect(contrast(pale, background)).toBeGreaterThanOrEqual(4.5);
              // No paler one would do: what waits is to be seen as waiting.
              if (opacity > 0.5) {
                const paler = palette.grounds.map((each) =>
                  contrast(mix(each, colour, opacity - 0.02), each),
                );
                expect(Math.min(...paler)).toBeLessThan(4.8);
              }
            }
            expect(contrast(palette.accent, background)).toBeGreaterThanOrEqual(3);
          }
        }
      }),
    );
  });

  it('keep the chosen accent when it has enough contrast', () => {
    const [palette] = LOOKS.picture.palettes({ background: '#15120e', accent: '#7ee0c0' });
    expect(palette.accent).toBe('#7ee0c0');
  });

  it('keep the glow between the hues of background and accent, and turn no yellow into olive', () => {
    const background = '#3a1e6e';
    const [{ glow }] = LOOKS.picture.palettes({ background, accent: '#ffd400' });
    const [from, mixed] = [fromHex(background), fromHex(glow)];
    expect(Math.abs(((mixed.h - from.h + 540) % 360) - 180)).toBeLessThanOrEqual(26);
    expect(mixed.c).toBeGreaterThanOrEqual(from.c - 0.005);
    expect(mixed.l).toBeGreaterThan(from.l);
  });
});
