import { describe, expect, it } from 'vitest';
import { messageIn } from '../../../src/contract/message-in.ts';
import { MESSAGES } from '../../../src/contract/messages.ts';
import { userMessage, joinMessages } from '../../../src/contract/user-message.ts';
import { excessMessage } from '../../../src/engine/intake/table-size.ts';
import {
  technicalCause,
  translateMessage,
} from '../../../src/renderer/formatting/translate-message.ts';
import { de } from '../../../src/renderer/texts/de.ts';
import { pageMessages } from '../../../src/renderer/texts/page-messages.ts';
import { en as enAtStart } from '../../../src/renderer/texts/en.ts';
import { loadAllTexts } from '../../../src/renderer/texts/languages.ts';

const { texts: en } = await loadAllTexts('en');

const placeholdersOf = (template: string): string[] =>
  [...template.matchAll(/\{[^}]*\}/g)].map(([placeholder]) => placeholder).sort();

describe('every message of the engine', () => {
  it.each([
    ['English', en],
    ['German', de],
  ])('exists in %s, with the same placeholders', (_language, { sentences }) => {
    expect(Object.keys(sentences).sort()).toEqual(Object.keys(MESSAGES).sort());
    for (const [name, template] of Object.entries(MESSAGES)) {
      // The page shows a technical cause apart.
      if (name in pageMessages) continue;
      expect([
        name,
        placeholdersOf(sentences[name as keyof typeof MESSAGES] ?? 'missing {}'),
      ]).toEqual([name, placeholdersOf(template.en)]);
    }
  });

  it('differs in German, except for words that both languages share', () => {
    const same = Object.entries(MESSAGES).filter(
      ([name, text]) => de.sentences[name as keyof typeof MESSAGES] === text.en,
    );
    expect(same.map(([name]) => name)).toEqual(['setting-updates', 'as-system', 'verbatim']);
  });
});

describe('a message of the engine', () => {
  it('is shown in the page’s language, with that language’s number format', () => {
    const message = userMessage('disk-needs-room', { missing: 1_240_000_000 });
    expect(message.message).toContain('needs 1.24 GB more');
    expect(translateMessage(message, en)).toContain('needs 1.24 GB more');
    expect(translateMessage(message, de)).toContain('braucht noch 1,24 GB.');
    expect(messageIn('de', message)).toBe(translateMessage(message, de));
  });

  it('names a limit of tables in that language’s number format', () => {
    expect(translateMessage(excessMessage('a.csv', 'rows'), de)).toContain('als 100.000 Zeilen');
  });

  it('is shown in English until the page has loaded all texts', () => {
    const message = userMessage('disk-needs-room', { missing: 1_240_000_000 });
    expect(translateMessage(message, enAtStart)).toBe(message.message);
  });

  it('is translated as a whole when it has several sentences', () => {
    const message = joinMessages(
      userMessage('connection-broke', { host: 'video.example.com', code: 'ECONNRESET' }),
      userMessage('acceptance-unknown'),
    );
    expect(translateMessage(message, de)).toBe(
      'Die Verbindung zu video.example.com ist abgebrochen. Ob das Video angenommen wurde, ist nicht bekannt.',
    );
    expect(message.message).toBe(
      'The connection to video.example.com broke (ECONNRESET). It is not known whether the video was accepted.',
    );
  });

  it('names its technical cause apart, behind “Details”', () => {
    const broken = userMessage('connection-broke', { host: 'a.example', code: 'ECONNRESET' });
    expect(technicalCause(broken)).toBe('ECONNRESET');
    expect(technicalCause(userMessage('certificate-wrong', { host: 'a', cause: 'EXPIRED' }))).toBe(
      'EXPIRED',
    );
    // Here the code is what the sentence is about, and stays in it.
    expect(
      technicalCause(userMessage('cell-has-control-character', { text: 'a', code: 'U+0007' })),
    ).toBe(null);
    expect(technicalCause(null)).toBe(null);
  });

  it('stays English where the page has no translation: an old entry, a newer engine', () => {
    expect(translateMessage(userMessage('verbatim', { text: 'As it was.' }), de)).toBe(
      'As it was.',
    );
    const says = [{ sentence: 'from-the-future', values: {} }];
    expect(translateMessage({ message: 'Newer.', says }, de)).toBe('Newer.');
  });

  it('does not replace placeholders inside a value', () => {
    expect(userMessage('identifier-taken', { title: 'A {host} and {title}' }).message).toBe(
      'The video with this identifier is “A {host} and {title}”.',
    );
  });
});
