import { describe, expect, it } from 'vitest';
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

it('uses the first system language that it supports', () => {
  expect(new Preferences(storage(), ['fr-FR', 'de-AT', 'en-US']).language).toBe('de');
  expect(new Preferences(storage(), ['fr-FR']).language).toBe('en');
});

it('stores the choices, and applies them to the page', async () => {
  const kept = storage();
  const preferences = new Preferences(kept, ['en']);
  preferences.follow({ theme: 'dark', language: 'de' });
  preferences.density = 'comfortable';
  await expect.poll(() => preferences.texts.language).toBe('de');
  const page = root();
  preferences.applyTo(page);
  expect(page.lang).toBe('de');
  expect(page.dataset).toEqual({ theme: 'dark', density: 'comfortable' });
  const again = new Preferences(storage(kept.written.at(-1)), ['en']);
  expect([again.theme, again.density, again.language]).toEqual(['dark', 'comfortable', 'de']);
  expect(again.rowHeight).toBe(44);
});

it.each(['', 'null', '[]', '{"theme":"blink","density":7}', '{'])(
  'starts with the defaults when the stored value is %j',
  (kept) => {
    const preferences = new Preferences(storage(kept), ['en']);
    expect([preferences.theme, preferences.density, preferences.language]).toEqual([
      'system',
      'compact',
      'en',
    ]);
  },
);

it('shows the language that was chosen last, however long each takes to load', async () => {
  const preferences = new Preferences(storage(), ['en']);
  preferences.language = 'de';
  preferences.language = 'en';
  await preferences.load();
  // The German texts are loaded by now, too late to be shown.
  await import('../../../src/renderer/texts/de.ts');
  await Promise.resolve();
  expect(preferences.texts.language).toBe('en');
});

describe('the texts of views', () => {
  it('are an error before a view has loaded them', () => {
    expect(() => new Preferences(storage(), ['en']).viewTexts).toThrow('not loaded');
  });

  it('come with all messages, in the language of the other texts', async () => {
    const preferences = new Preferences(storage(), ['de']);
    await preferences.loadViewTexts();
    expect(preferences.texts.language).toBe('de');
    expect(preferences.viewTexts.settings.sections.start).toBe('Start und Updates');
    preferences.language = 'en';
    await expect
      .poll(() => preferences.viewTexts.settings.sections.start)
      .toBe('Start and updates');
    expect(preferences.texts.language).toBe('en');
    expect(preferences.texts.sentences['too-early']).toContain('too early');
  });

  it('are available once loaded, whichever language is chosen meanwhile', async () => {
    const preferences = new Preferences(storage(), ['en']);
    const isLoaded = preferences.loadViewTexts();
    preferences.language = 'de';
    await isLoaded;
    expect(preferences.viewTexts).toBeDefined();
    await expect
      .poll(() => preferences.viewTexts.settings.sections.start)
      .toBe('Start und Updates');
    expect(preferences.texts.language).toBe('de');
  });

  it('stay when texts requested earlier arrive', async () => {
    const preferences = new Preferences(storage(), ['en']);
    const first = preferences.load();
    await preferences.loadViewTexts();
    await first;
    expect(preferences.viewTexts.settings.sections.start).toBe('Start and updates');
  });
});

describe('theme and language, which the host keeps', () => {
  const before = '{"theme":"dark","language":"de"}';

  it('are the host’s where they were chosen there', () => {
    const preferences = new Preferences(storage(before), ['en']);
    preferences.follow({ theme: 'light', language: 'en' });
    expect([preferences.theme, preferences.language]).toEqual(['light', 'en']);
  });

  it('follow the system until one is chosen', () => {
    const preferences = new Preferences(storage(), ['de-AT']);
    preferences.follow({ theme: 'system', language: 'system' });
    expect([preferences.language, preferences.languageChoice]).toEqual(['de', 'system']);
  });
});
