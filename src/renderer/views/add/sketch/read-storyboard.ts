import type { SampleRow } from '../../../../contract/batch.ts';

type Json = SampleRow['request'];

/** A request's storyboard, as far as it can be drawn before a service has made anything of it. */
export interface Storyboard {
  readonly aspect: Aspect;
  /** Lines of the shorter side; `null` when the request leaves it to the service. */
  readonly resolution: number | null;
  /** Frames a second; `null` when the request leaves it to the service. */
  readonly fps: number | null;
  /** The whole length; `null` when it follows from what there is to read. */
  readonly seconds: number | null;
  readonly soundtrack: string | null;
  readonly theme: Theme;
  readonly scenes: readonly Scene[];
}

export type Aspect = '16:9' | '9:16' | '1:1' | '4:5';

/** Colours as `#rrggbb`; `null` where the request leaves one to the service. */
export interface Theme {
  readonly accent: string | null;
  readonly background: string | null;
  readonly text: string | null;
}

export type Scene = SceneContent & {
  /** `null` when it follows from what there is to read. */
  readonly seconds: number | null;
  readonly caption: string | null;
};

export type SceneContent =
  | { readonly kind: 'title'; readonly text: string; readonly subtitle: string | null }
  | { readonly kind: 'text'; readonly heading: string | null; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string; readonly by: string | null }
  | { readonly kind: 'list'; readonly heading: string | null; readonly items: readonly string[] }
  | { readonly kind: 'countdown'; readonly from: number; readonly text: string | null }
  | { readonly kind: 'image' };

/** What something in a request comes to that is no storyboard's. */
class NoStoryboardError extends Error {
  override readonly name = 'NoStoryboardError';
}

/** `null` for any request that is not wholly understood: half of one would be drawn wrongly. */
export function readStoryboard(request: Json): Storyboard | null {
  try {
    return storyboardOf(new Fields(request));
  } catch (error) {
    if (error instanceof NoStoryboardError) return null;
    throw error;
  }
}

function storyboardOf(fields: Fields): Storyboard {
  const theme = new Fields(fields.value('theme') ?? {});
  const scenes = withSeconds(fields.list('scenes').map(sceneOf), fields.number('duration'));
  const open = scenes.some(({ seconds }) => seconds === null);
  const sum = scenes.reduce((total, { seconds }) => total + (seconds ?? 0), 0);
  return {
    aspect: aspectOf(fields.text('aspect') ?? '16:9'),
    resolution: fields.number('resolution'),
    fps: fields.number('fps'),
    seconds: fields.number('duration') ?? (open ? null : sum),
    soundtrack: fields.text('soundtrack'),
    theme: {
      accent: theme.colour('accent'),
      background: theme.colour('background'),
      text: theme.colour('text'),
    },
    scenes,
  };
}

/** The only scene without a length of its own has what the others leave of the whole. */
function withSeconds(scenes: readonly Scene[], duration: number | null): readonly Scene[] {
  const open = scenes.filter(({ seconds }) => seconds === null);
  const left = (duration ?? 0) - scenes.reduce((total, { seconds }) => total + (seconds ?? 0), 0);
  if (open.length !== 1 || left <= 0) return scenes;
  return scenes.map((scene) => (scene.seconds === null ? { ...scene, seconds: left } : scene));
}

function sceneOf(json: Json): Scene {
  const fields = new Fields(json);
  return {
    ...contentOf(fields),
    seconds: fields.number('seconds'),
    caption: fields.text('caption'),
  };
}

function contentOf(fields: Fields): SceneContent {
  switch (fields.text('kind')) {
    case 'title':
      return { kind: 'title', text: fields.words('text'), subtitle: fields.text('subtitle') };
    case 'text':
      return { kind: 'text', heading: fields.text('heading'), text: fields.words('text') };
    case 'quote':
      return { kind: 'quote', text: fields.words('text'), by: fields.text('by') };
    case 'list':
      return { kind: 'list', heading: fields.text('heading'), items: fields.texts('items') };
    case 'countdown':
      return { kind: 'countdown', from: fields.numeral('from'), text: fields.text('text') };
    case 'image':
      return { kind: 'image' };
    default:
      throw new NoStoryboardError();
  }
}

function aspectOf(text: string): Aspect {
  if (text === '16:9' || text === '9:16' || text === '1:1' || text === '4:5') return text;
  throw new NoStoryboardError();
}

/** An object's properties, each of the kind that it has to be; `null` for one that is not there. */
class Fields {
  readonly #object: Readonly<Record<string, Json>>;

  constructor(json: Json) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new NoStoryboardError();
    }
    this.#object = json;
  }

  value(name: string): Json {
    return Object.hasOwn(this.#object, name) ? (this.#object[name] ?? null) : null;
  }

  text(name: string): string | null {
    const value = this.value(name);
    if (value === null || typeof value === 'string') return value;
    throw new NoStoryboardError();
  }

  words(name: string): string {
    const text = this.text(name);
    if (text === null || text.trim() === '') throw new NoStoryboardError();
    return text;
  }

  number(name: string): number | null {
    const value = this.value(name);
    if (value === null || typeof value === 'number') return value;
    throw new NoStoryboardError();
  }

  numeral(name: string): number {
    const number = this.number(name);
    if (number === null) throw new NoStoryboardError();
    return number;
  }

  colour(name: string): string | null {
    const text = this.text(name);
    if (text === null || /^#[\da-f]{6}$/i.test(text)) return text;
    throw new NoStoryboardError();
  }

  list(name: string): readonly Json[] {
    const value = this.value(name);
    if (Array.isArray(value) && value.length > 0) return value;
    throw new NoStoryboardError();
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((item) => {
      if (typeof item === 'string') return item;
      throw new NoStoryboardError();
    });
  }
}
