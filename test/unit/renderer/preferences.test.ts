import { expect, it } from 'vitest';
import { Preferences } from '../../../src/renderer/state/preferences.svelte.ts';

function storage(kept: string | null = null) {
  const written: string[] = [];
  return {
    written,
    getItem: () => kept,
    setItem: (_key: string, value: string) => void written.push(value),
  };
}

const root = () => ({ lang: '', dataset: {} }) as unknown as HTMLElement;

it('speaks the first language of the system that it knows', () => {
  expect(new Preferences(storage(), ['fr-FR', 'de-AT', 'en-US']).language).toBe('de');
  expect(new Preferences(storage(), ['fr-FR']).language).toBe('en');
});

it('keeps what was chosen, and shows it on the page', () => {
  const kept = storage();
  const preferences = new Preferences(kept, ['en']);
  preferences.theme = 'dark';
  preferences.density = 'comfortable';
  preferences.language = 'de';
  const page = root();
  preferences.applyTo(page);
  expect(page.lang).toBe('de');
  expect(page.dataset).toEqual({ theme: 'dark', density: 'comfortable' });
  const again = new Preferences(storage(kept.written.at(-1)), ['en']);
  expect([again.theme, again.density, again.language]).toEqual(['dark', 'comfortable', 'de']);
  expect(again.rowHeight).toBe(44);
});

it.each(['', 'null', '[]', '{"theme":"blink","density":7}', '{'])(
  'starts as new when what was kept reads %j',
  (kept) => {
    const preferences = new Preferences(storage(kept), ['en']);
    expect([preferences.theme, preferences.density, preferences.language]).toEqual([
      'system',
      'compact',
      'en',
    ]);
  },
);
