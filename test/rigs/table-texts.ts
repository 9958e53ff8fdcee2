/** Texts that go wrong on their way through tables, to write tables of. */
import fc from 'fast-check';
import { findArtefact, spreadsheetText } from '../../src/engine/intake/spreadsheet-cell.ts';
import { isVisible } from '../../src/engine/intake/tables/cell-visibility.ts';

/** As people write them, with everything that separates, quotes, looks like a number or a header. */
export const AWKWARD_TEXTS = [
  'Launch week',
  'Big sale, today',
  'Big sale; today',
  'one | two',
  'She said "yes"',
  '"Wow"',
  '"I love it" they said',
  'he said "hi"',
  '5" tablet',
  '"',
  '""',
  "'quoted'",
  "it's",
  "'90s",
  '“smart”',
  'first line\nsecond line',
  'three\n\nlines, "two" blank',
  'ends with a comma,',
  ', begins with one',
  'back\\slash',
  'ends with a backslash\\',
  '00123',
  '19,90 €',
  '19.90',
  '1.500',
  '1,5',
  '1:1',
  '9:16',
  '3/4',
  '1E5',
  '12345678901234567890',
  'TRUE',
  'true',
  '2026-11-27',
  '27.11.2026',
  '3-Mar',
  '50 %',
  '+49 170 1234567',
  '-10 %',
  '- a bullet',
  '@handle',
  '#hashtag',
  '(optional)',
  'sep=;',
  'title',
  'Total',
  'Summe',
  'Total: 5',
  'Source: us',
  'N/A',
  'null',
  '{"a":1}',
  '[1]',
  '<b>bold</b>',
  '&amp; &lt;',
  'https://example.com/a,b;c?d=e&f="g"',
  'C:\\new\\table',
  '100% "pure", really; yes',
  'non\u00a0breaking',
  'wide\u3000space',
  'Grüße aus München',
  'Ça a été déjà vu, à Noël',
  'Łódź, Kraków',
  'Привет, мир',
  'Γειά σου',
  'مرحبا',
  'שלום',
  'नमस्ते',
  'สวัสดี',
  '日本語の動画',
  '你好，世界',
  '안녕하세요',
  '👩🏽‍🚀 1️⃣ 🇩🇪 🏴‍☠️',
  'e\u0301',
] as const;

const WITH_APOSTROPHES: ReadonlySet<string> = new Set(["'quoted'", "'90s"]);

/** Whether a cell of a table can contain this text, and be meant as it is. */
function isPlain(text: string): boolean {
  return (
    text === text.trim() &&
    isVisible(text) &&
    text.isWellFormed() &&
    // Characters of a damaged text, and those that XML cannot contain.
    !/\ufffd|\p{Cn}|[^\P{Cc}\t\n]/u.test(text) &&
    // Two such cells can be one that apostrophes enclose.
    (!/^'|'$/.test(text) || WITH_APOSTROPHES.has(text)) &&
    // No spreadsheet has both in one cell.
    !(text.includes('\t') && text.includes('\n')) &&
    findArtefact(text) === null &&
    spreadsheetText(text) === text
  );
}

/** Any text, or pieces of awkward ones. */
export const awkwardText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...AWKWARD_TEXTS) },
    {
      weight: 2,
      arbitrary: fc
        .array(
          fc.constantFrom('a', 'ä', ' ', ',', ';', '\t', '|', '"', "'", '\n', '1', '\\', '='),
          {
            minLength: 1,
            maxLength: 12,
          },
        )
        .map((pieces) => pieces.join('').trim()),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }) },
  )
  .filter(isPlain);

/** A title and a message. */
export type TextRow = readonly [title: string, message: string];

export const textRows: fc.Arbitrary<readonly TextRow[]> = fc.array(
  fc.tuple(awkwardText, fc.oneof({ weight: 5, arbitrary: awkwardText }, fc.constant(''))),
  { minLength: 1, maxLength: 8 },
);
