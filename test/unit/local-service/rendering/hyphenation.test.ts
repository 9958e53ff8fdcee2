import { describe, expect, it } from 'vitest';
import {
  guessLanguage,
  hyphenationOf,
} from '../../../../src/local-service/rendering/hyphenation.ts';

describe('hyphenation', () => {
  it('breaks German compounds between syllables, with no short rest', async () => {
    const hyphenate = await hyphenationOf(['Geschwindigkeitsbegrenzung']);
    const parts = hyphenate('Geschwindigkeitsbegrenzung');
    expect(parts.join('')).toBe('Geschwindigkeitsbegrenzung');
    expect(parts).toContain('keits');
    const short = hyphenate('Kühlschranktüre,');
    expect(short.at(-1)!.length).toBeGreaterThanOrEqual(3);
  });

  it('uses the patterns of the language', async () => {
    const text = 'internationalisation';
    const [english, german] = await Promise.all([
      hyphenationOf([text], 'en'),
      hyphenationOf([text], 'de'),
    ]);
    expect(english(text)).not.toEqual(german(text));
  });

  it('leaves short words whole', async () => {
    expect((await hyphenationOf(['Geschwindigkeitsbegrenzung']))('Kühlung')).toEqual(['Kühlung']);
    expect((await hyphenationOf(['short']))('Geschwindigkeit')).toEqual(['Geschwindigkeit']);
  });

  it('guesses the language from common words and letters', () => {
    expect(guessLanguage(['The end of the line'])).toBe('en');
    expect(guessLanguage(['Das Ende der Reihe'])).toBe('de');
    expect(guessLanguage(['Kühlschrankmagnete'])).toBe('de');
  });
});
