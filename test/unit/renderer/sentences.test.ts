import { describe, expect, it } from 'vitest';
import { MESSAGES } from '../../../src/contract/messages.ts';
import { inEnglish, userMessage, joinMessages } from '../../../src/contract/user-message.ts';
import { inWordsOf } from '../../../src/renderer/formatting/in-words-of.ts';
import { de } from '../../../src/renderer/texts/de.ts';
import { en as enAtStart } from '../../../src/renderer/texts/en.ts';
import { loadAllTexts } from '../../../src/renderer/texts/languages.ts';

const { texts: en } = await loadAllTexts('en');

const gapsOf = (template: string): string[] =>
  [...template.matchAll(/\{[^}]*\}/g)].map(([gap]) => gap).sort();

describe('every sentence of the engine', () => {
  it.each([
    ['English', en],
    ['German', de],
  ])('is there in %s, with the same gaps', (_language, { sentences }) => {
    expect(Object.keys(sentences).sort()).toEqual(Object.keys(MESSAGES).sort());
    for (const [name, template] of Object.entries(MESSAGES)) {
      expect([name, gapsOf(sentences[name as keyof typeof MESSAGES] ?? 'missing {}')]).toEqual([
        name,
        gapsOf(template),
      ]);
    }
  });

  it('is another one in German, but for words that both languages have', () => {
    const same = Object.entries(MESSAGES).filter(
      ([name, text]) => de.sentences[name as keyof typeof MESSAGES] === text,
    );
    expect(same.map(([name]) => name)).toEqual([
      'setting-updates',
      'as-system',
      'verbatim',
      'in-english',
    ]);
  });
});

describe('messages of the engine', () => {
  it('is said in the page’s language, with the numbers as that language writes them', () => {
    const message = userMessage('disk-needs-room', { missing: 1_240_000_000 });
    expect(message.message).toContain('needs 1.3 GB more');
    expect(inWordsOf(message, en)).toContain('needs 1.24 GB more');
    expect(inWordsOf(message, de)).toContain('braucht noch 1,24 GB.');
  });

  it('is shown as it comes until the page has loaded all texts', () => {
    const message = userMessage('disk-needs-room', { missing: 1_240_000_000 });
    expect(inWordsOf(message, enAtStart)).toBe(message.message);
  });

  it('is said as a whole when it is more than one sentence', () => {
    const message = joinMessages(
      userMessage('connection-broke', { host: 'video.example.com', code: 'ECONNRESET' }),
      userMessage('acceptance-unknown'),
    );
    expect(inWordsOf(message, de)).toBe(
      'Die Verbindung zu video.example.com ist abgebrochen (ECONNRESET). Ob das Video angenommen wurde, ist nicht bekannt.',
    );
    expect(message.message).toBe(
      'The connection to video.example.com broke (ECONNRESET). It is not known whether the video was accepted.',
    );
  });

  it('stays English where the page knows no other: an old entry, a newer engine', () => {
    expect(inWordsOf(inEnglish('As it was.'), de)).toBe('As it was.');
    const says = [{ sentence: 'from-the-future', values: {} }];
    expect(inWordsOf({ message: 'Newer.', says }, de)).toBe('Newer.');
  });

  it('takes nothing that stands in a gap for a gap', () => {
    expect(userMessage('identifier-taken', { title: 'A {host} and {title}' }).message).toBe(
      'The video with this identifier is “A {host} and {title}”.',
    );
  });
});
