import { de } from '../texts/de.ts';
import { en, type Texts } from '../texts/en.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export const DENSITIES = ['compact', 'comfortable'] as const;
export const SAVED_LAYOUTS = ['grid', 'list'] as const;
export const LANGUAGES = { en, de } satisfies Record<string, Texts>;

export type Theme = (typeof THEMES)[number];
export type Density = (typeof DENSITIES)[number];
export type SavedLayout = (typeof SAVED_LAYOUTS)[number];
export type Language = keyof typeof LANGUAGES;

/** Row heights in pixels; `tokens.css` has the same two in `--row`. */
const ROW_HEIGHT: Record<Density, number> = { compact: 36, comfortable: 44 };

const KEY = 'spool.preferences';

/** How this page looks and speaks. Kept by the browser, since it belongs to a screen, not a queue. */
export class Preferences {
  theme = $state<Theme>('system');
  density = $state<Density>('compact');
  language = $state<Language>('en');
  savedLayout = $state<SavedLayout>('grid');
  readonly texts: Texts = $derived(LANGUAGES[this.language]);
  readonly rowHeight = $derived(ROW_HEIGHT[this.density]);

  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  /** @param systemLanguages as `navigator.languages`, for the first run. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, systemLanguages: readonly string[]) {
    this.#storage = storage;
    const kept = readKept(storage.getItem(KEY));
    this.theme = THEMES.find((theme) => theme === kept.theme) ?? 'system';
    this.density = DENSITIES.find((density) => density === kept.density) ?? 'compact';
    this.savedLayout = SAVED_LAYOUTS.find((layout) => layout === kept.savedLayout) ?? 'grid';
    this.language =
      languageNamed(kept.language) ??
      systemLanguages
        .map((tag) => languageNamed(tag.split('-')[0]))
        .find((language) => language !== undefined) ??
      'en';
  }

  /** Keeps the page's root element and the browser's storage in step. Call it within an effect. */
  applyTo(root: HTMLElement): void {
    root.lang = this.language;
    root.dataset.theme = this.theme;
    root.dataset.density = this.density;
    this.#storage.setItem(
      KEY,
      JSON.stringify({
        theme: this.theme,
        density: this.density,
        language: this.language,
        savedLayout: this.savedLayout,
      }),
    );
  }
}

function languageNamed(name: unknown): Language | undefined {
  return name === 'en' || name === 'de' ? name : undefined;
}

/** What was kept may come from another version or another page: anything odd reads as nothing. */
function readKept(
  text: string | null,
): Partial<Record<'theme' | 'density' | 'language' | 'savedLayout', unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
