import { describe, expect, test } from 'vitest';
import { findUndrawable } from '../../../../src/local-service/rendering/drawable-text.ts';

/** Never assigned, so no computer has a font for it. */
const UNASSIGNED = '\u{378}';

describe('the fonts that ship with Spool', () => {
  test.each([
    ['Latin', 'Žluťoučký kůň, Việt Nam, ﬁ № ½ € ₹'],
    ['Greek', 'Ελληνικά'],
    ['Cyrillic', 'Съешь ещё этих булок'],
    ['Arabic', 'مرحبا بالعالم، ۱۲۳'],
    ['Hebrew', 'שָׁלוֹם עולם'],
    ['emoji, flags and joined ones', '🎉 👩🏽‍💻 🇩🇪 ❤️ 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['invisible characters', 'a\u200b\u00ad\u2060\t\n \u2800\ufeff'],
  ])('draw %s', (_script, text) => {
    expect(findUndrawable([text])).toEqual([]);
  });

  // The engine does not ask about these.
  test('draw all of Latin-1, Latin Extended-A and common punctuation', () => {
    const codes = [
      ...Array.from({ length: 0x180 - 0x20 }, (_, i) => 0x20 + i),
      ...Array.from({ length: 0x10 }, (_, i) => 0x2010 + i),
      ...[0x2026, 0x20ac],
    ];
    const text = codes.map((code) => String.fromCodePoint(code)).join(' ');
    expect(findUndrawable([text])).toEqual([]);
  });
});

test('names each character that has no font once, with its marks', () => {
  const texts = [`Sommer ${UNASSIGNED} ${UNASSIGNED}\u0301`, `${UNASSIGNED} Brot`];
  expect(findUndrawable(texts)).toEqual([UNASSIGNED, `${UNASSIGNED}\u0301`]);
});

// The bundled emoji have no picture of these, and come before other fonts.
test('names emoji that would be blank or in pieces', () => {
  expect(findUndrawable(['1️⃣ Start 🏳️‍🌈 👩🏽‍💻'])).toEqual(['1️⃣', '🏳️‍🌈']);
});
