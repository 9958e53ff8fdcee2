import { untrack } from 'svelte';
import type { Settings } from '../../contract/settings.ts';
import type { ViewTexts } from '../texts/en-views.ts';
import { en, type Texts } from '../texts/en.ts';
import { LANGUAGES, loadAllTexts, loadTexts, type Language } from '../texts/languages.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export const DENSITIES = ['compact', 'comfortable'] as const;
export const SAVED_LAYOUTS = ['grid', 'list'] as const;

export type Theme = (typeof THEMES)[number];
export type Density = (typeof DENSITIES)[number];
export type SavedLayout = (typeof SAVED_LAYOUTS)[number];

/** Row heights in pixels; `tokens.css` has the same two in `--row`. */
const ROW_HEIGHT: Record<Density, number> = { compact: 36, comfortable: 44 };

const KEY = 'spool.preferences';

type Shared = Pick<Settings, 'theme' | 'language'>;

/**
 * Appearance and language of this page. Theme and language are settings of the host and apply to
 * its menus and dialogs as well; the browser stores a copy for the time until the host answers. The
 * rest is stored only in the browser.
 */
export class Preferences {
  theme = $state<Theme>('system');
  density = $state<Density>('compact');
  savedLayout = $state<SavedLayout>('grid');
  /** Sound of the player. */
  isMuted = $state(false);
  /** 0 to 1. */
  volume = $state(1);
  #language = $state<Language>('en');
  /** The choice: a language, or the system's. */
  languageChoice = $state<Shared['language']>('system');
  /** English until `load` has fetched the chosen language. */
  texts = $state.raw<Texts>(en);
  /** Always in the language of `texts`; `null` until a view needs them. */
  #viewTexts = $state.raw<ViewTexts | null>(null);
  #needsViewTexts = false;
  readonly rowHeight = $derived(ROW_HEIGHT[this.density]);

  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #systemLanguage: Language;

  /** @param systemLanguages as `navigator.languages`, for the first run. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, systemLanguages: readonly string[]) {
    this.#storage = storage;
    const stored = readStored(storage.getItem(KEY));
    this.theme = THEMES.find((theme) => theme === stored.theme) ?? 'system';
    this.density = DENSITIES.find((density) => density === stored.density) ?? 'compact';
    this.savedLayout = SAVED_LAYOUTS.find((layout) => layout === stored.savedLayout) ?? 'grid';
    this.isMuted = stored.isMuted === true;
    this.volume = typeof stored.volume === 'number' ? Math.min(1, Math.max(0, stored.volume)) : 1;
    this.#systemLanguage =
      systemLanguages
        .map((tag) => languageNamed(tag.split('-')[0]))
        .find((language) => language !== undefined) ?? 'en';
    const language = languageNamed(stored.language);
    this.languageChoice = language ?? 'system';
    this.#language = language ?? this.#systemLanguage;
  }

  /** Takes over the host's settings. */
  follow({ theme, language }: Shared): void {
    this.theme = theme;
    this.languageChoice = language;
    const next = language === 'system' ? this.#systemLanguage : language;
    if (next !== this.#language) this.language = next;
  }

  /** The chosen language. `texts` follow once they are loaded. */
  get language(): Language {
    return this.#language;
  }

  set language(language: Language) {
    this.#language = language;
    void this.load();
  }

  /**
   * Fetches the texts of the chosen language, with those of views once a view needed them. If that
   * fails, the page keeps its current texts.
   */
  async load(): Promise<void> {
    const language = this.#language;
    try {
      const { texts, views } = this.#needsViewTexts
        ? await loadAllTexts(language)
        : { texts: await loadTexts(language), views: null };
      // Another one may have been chosen meanwhile.
      if (language === this.#language) this.#show(texts, views);
    } catch {
      // The choice is kept: the next start tries again.
    }
  }

  /**
   * The texts that only views use.
   *
   * @throws before `loadViewTexts` has fetched them, which `load-view.ts` waits for
   */
  get viewTexts(): ViewTexts {
    if (this.#viewTexts === null) throw new Error('The texts of views are not loaded.');
    return this.#viewTexts;
  }

  /**
   * Fetches the texts of views, once. An effect that calls this does not depend on the language.
   *
   * @throws when neither the texts of the chosen language nor those of the shown one can be fetched
   */
  async loadViewTexts(): Promise<void> {
    this.#needsViewTexts = true;
    if (untrack(() => this.#viewTexts) !== null) return;
    await untrack(() => this.load());
    if (this.#viewTexts !== null) return;
    const shown = this.texts.language;
    const { texts, views } = await loadAllTexts(languageNamed(shown) ?? 'en');
    if (this.texts.language === shown) this.#show(texts, views);
  }

  #show(texts: Texts, views: ViewTexts | null): void {
    // This load began before a view needed its texts; a later one has fetched both.
    if (views === null && this.#viewTexts !== null) return;
    this.texts = texts;
    this.#viewTexts = views;
  }

  /** Copies the preferences to the page's root element and to storage. Call it within an effect. */
  applyTo(root: HTMLElement): void {
    root.lang = this.texts.language;
    root.dataset.theme = this.theme;
    root.dataset.density = this.density;
    this.#storage.setItem(
      KEY,
      JSON.stringify({
        theme: this.theme,
        density: this.density,
        ...(this.languageChoice === 'system' ? {} : { language: this.languageChoice }),
        savedLayout: this.savedLayout,
        isMuted: this.isMuted,
        volume: this.volume,
      }),
    );
  }
}

function languageNamed(name: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

type StoredName = 'theme' | 'density' | 'language' | 'savedLayout' | 'isMuted' | 'volume';

/** Another version or page may have stored it: anything invalid reads as empty. */
function readStored(text: string | null): Partial<Record<StoredName, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
