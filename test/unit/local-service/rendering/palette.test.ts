import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contrast,
  fromHex,
  mix,
  readable,
  toHex,
} from '../../../../src/local-service/rendering/colour.ts';
import { paletteOf } from '../../../../src/local-service/rendering/palette.ts';

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

describe('a palette', () => {
  it('has AA contrast for any theme, with and without the glow', () => {
    const theme = fc.record({ accent: hex, background: hex, text: hex }, { requiredKeys: [] });
    fc.assert(
      fc.property(theme, (chosen) => {
        const palette = paletteOf(chosen);
        const backgrounds = [palette.backgroundHigh, palette.backgroundLow];
        backgrounds.push(
          ...backgrounds.map((background) => mix(background, palette.glow, palette.glowOpacity)),
        );
        for (const background of backgrounds) {
          for (const colour of [palette.text, palette.secondaryText, palette.accentText]) {
            expect(contrast(colour, background)).toBeGreaterThanOrEqual(4.5);
          }
          expect(contrast(palette.accent, background)).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });

  it('keeps the chosen accent when it has enough contrast', () => {
    expect(paletteOf({ background: '#15120e', accent: '#7ee0c0' }).accent).toBe('#7ee0c0');
  });
});
