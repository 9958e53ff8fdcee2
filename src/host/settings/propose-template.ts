/** Proposes a request's template and its columns from an example. */
import type { Column } from '../../engine/intake/column.ts';
import { foldHeader, spellings } from '../../engine/intake/match-columns.ts';
import { PLACEHOLDER, type RequestTemplate } from '../../engine/intake/request-template.ts';
import type { ExampleBody, Json, JsonObject } from '../../contract/examples/example-body.ts';
import { numberInPlaceholder } from '../../contract/json-text.ts';
import {
  hasKey,
  isCredentialName,
  isPlaceholder,
} from '../../contract/examples/credential-forms.ts';

/** The template of a request, derived from an example. */
export interface ProposedTemplate {
  readonly request: RequestTemplate;
  /** Columns whose values are sent, in the order of the request. */
  readonly sent: readonly SentColumn[];
  /** Paths of parts of the example that the request will not contain. */
  readonly leftOut: readonly string[];
  /** Whether something differs from row to row. */
  readonly hasText: boolean;
}

export interface SentColumn {
  readonly name: string;
  /** Its path in the request. */
  readonly path: string;
  readonly isRequired: boolean;
}

type Kind = 'title' | 'text' | 'seconds' | 'picture' | 'seed' | 'shape' | 'identifier' | 'constant';

/** More fields than any request has for a user to fill in. */
const MAX_COLUMNS = 40;
const MAX_CONSTANT = 20_000;

const TITLE: Column = {
  type: 'text',
  label: { en: 'Title', de: 'Titel' },
  description: {
    en: 'Names the video in Spool; not sent',
    de: 'Name des Videos in Spool; wird nicht gesendet',
  },
  maxLength: 200,
  aliases: ['name', 'titel'],
};

/** Names of fields that are similar at many services; folded as by {@link foldName}. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:title|videotitle|videoname)$/, 'title'],
  [/^(?:prompt|prompttext|textprompt|inputprompt|videoprompt)$/, 'text'],
  [/^(?:text|script|scripttext|inputtext|description|caption|html|headline|message)$/, 'text'],
  [/^(?:seconds|duration|durationseconds|length|lengthseconds|videolength|nseconds)$/, 'seconds'],
  [/^(?:.*image|.*imageurl|.*imageuri|promptimage|.*picture|.*photo|photourl)$/, 'picture'],
  [/^(?:sourceurl|videourl|inputvideo|audiourl|src)$/, 'picture'],
  [/^seed$/, 'seed'],
  [/^(?:aspectratio|aspect|ratio|size|resolution|videosize|quality)$/, 'shape'],
  [/^(?:template|templateid|avatar|avatarid|voice|voiceid)$/, 'identifier'],
];

/** Objects whose members the user named himself, as in a template. */
const USER_NAMED =
  /^(?:modifications|variables|templatevariables|templatedata|dynamic|placeholders)$/;

/** A picture in the request itself. */
const PICTURE_IN_TEXT = /^data:image\//i;

/** Of a field with a list of pictures: an example does not tell how many its service takes. */
const MAX_PICTURES = 10;

/** Names of form fields whose files are pictures. */
function isPictureField(name: string): boolean {
  return kindOf(name) === 'picture' || /image|picture|photo|frame|reference/i.test(name);
}

/** Addresses to which a service would send results; they are left out. */
const CALLBACK = /callback|webhook|notify|notification/;

/** @param isUpload whether a field with a text names a file that was uploaded before */
export function proposeTemplate(
  body: ExampleBody,
  isUpload: (name: string, value: string | number) => boolean = () => false,
): ProposedTemplate {
  const root: JsonObject =
    body.kind === 'json' ? body.value : body.kind === 'form' ? Object.fromEntries(body.fields) : {};
  const files = body.kind === 'form' ? body.files : [];
  return new TemplateReader(root, files.filter(isPictureField), isUpload).read(
    files.filter((name) => !isPictureField(name)),
  );
}

class TemplateReader {
  readonly #root: JsonObject;
  readonly #pictures: readonly string[];
  readonly #isUpload: (name: string, value: string | number) => boolean;
  readonly #columns = new Map<string, Column>();
  readonly #sent: SentColumn[] = [];
  readonly #leftOut: string[] = [];
  readonly #mainText: string | null;
  #hasUserFields = false;

  /** @param pictures names of form fields that are files */
  constructor(
    root: JsonObject,
    pictures: readonly string[],
    isUpload: (name: string, value: string | number) => boolean,
  ) {
    this.#root = root;
    this.#pictures = pictures;
    this.#isUpload = isUpload;
    this.#mainText = mainTextIn(root);
  }

  /** @param leftOut other files of the form */
  read(leftOut: readonly string[]): ProposedTemplate {
    const texts = (this.#copy(this.#root, '', '', false) ?? {}) as JsonObject;
    const files = this.#pictures.map((name) => [name, this.#picture(name, name, 'part')] as const);
    const body = { ...texts, ...Object.fromEntries(files) };
    const title = this.#columns.get('title');
    const columns = { ...(title ? {} : { title: TITLE }), ...Object.fromEntries(this.#columns) };
    const preset = ['seconds', 'resolution', 'size', 'aspect']
      .filter((name) => this.#columns.has(name))
      .map((column) => ({ column }));
    return {
      request: { columns, title: 'title', preset, body },
      sent: this.#sent,
      leftOut: [...this.#leftOut, ...leftOut],
      hasText: this.#hasUserFields || this.#sent.some(({ isRequired }) => isRequired),
    };
  }

  /**
   * A copy of a part of the request, with placeholders for a row's values; `undefined`: left out.
   */
  #copy(
    json: Json,
    path: string,
    name: string,
    isNamedByUser: boolean,
    layer: string | null = null,
  ): Json | undefined {
    const folded = foldName(name);
    const isText = typeof json === 'string';
    const send = this.#sendOf(json, name);
    if (send !== undefined) return this.#picture(path, name, send);
    // `$if` has a meaning in a template.
    if (CALLBACK.test(folded) || name === '$if' || (isText && isSecret(json, name))) {
      this.#leftOut.push(path);
      return undefined;
    }
    if (Array.isArray(json)) {
      const sends = new Set(json.map((item) => this.#sendOf(item, name)));
      const [all] = sends;
      if (sends.size === 1 && all !== undefined) return this.#picture(path, name, all, true);
      return json.flatMap((item, index) => {
        // A list of named parts of a template: `[{ "name": "headline", "text": "…" }]`.
        const isOfUser = isNamedByUser || USER_NAMED.test(folded);
        const copy = this.#copy(item, `${path}[${index}]`, name, isOfUser, layerOf(item));
        return copy === undefined ? [] : [copy];
      });
    }
    if (typeof json === 'object' && json !== null) {
      const copies = Object.entries(json).flatMap(([inner, value]) => {
        const at = path === '' ? inner : `${path}.${inner}`;
        const isOfUser = USER_NAMED.test(folded) || isNamedByUser;
        if (layer !== null && isOfUser && inner === 'name') return [[inner, value] as const];
        const ofLayer = layer === null || !isOfUser ? inner : columnOfLayer(layer, inner);
        const copy = this.#copy(value, at, ofLayer, isOfUser);
        return copy === undefined ? [] : [[inner, copy] as const];
      });
      return Object.fromEntries(copies);
    }
    return this.#leaf(json, path, name, isNamedByUser);
  }

  /** How the row's file gets into the request that is the example's picture; `undefined`: is none. */
  #sendOf(json: Json, name: string): 'data-url' | 'upload' | undefined {
    const isText = typeof json === 'string';
    if ((isText || typeof json === 'number') && this.#isUpload(name, json)) return 'upload';
    return isText && PICTURE_IN_TEXT.test(json) ? 'data-url' : undefined;
  }

  #leaf(
    json: string | number | boolean | null,
    path: string,
    name: string,
    isNamedByUser: boolean,
  ): Json | undefined {
    const kind = isNamedByUser ? 'constant' : kindOf(name);
    // A number whose digits JavaScript would change; columns have numbers as it writes them.
    const number = numberIn(json);
    if (number !== null && (kind === 'seconds' || kind === 'seed')) {
      return this.#leaf(Number(number), path, name, isNamedByUser);
    }
    if (number !== null) return json;
    if (this.#columns.size >= MAX_COLUMNS) return this.#constant(json, path);
    if (path === this.#mainText)
      return this.#column(path, nameOfText(name), { type: 'text', required: true });
    if (typeof json === 'string' && isNamedByUser) {
      // An empty cell gets the template's value.
      this.#hasUserFields = true;
      return this.#column(path, name, { type: 'text' });
    }
    if (typeof json === 'number' && kind === 'seconds') {
      return this.#column(path, 'seconds', {
        type: 'number',
        min: 0,
        default: json,
        aliases: ['duration', 'length', 'sekunden', 'dauer', 'länge'],
      });
    }
    if (kind === 'seed' && typeof json === 'number') {
      return this.#column(path, 'seed', { type: 'number', whole: true });
    }
    if (typeof json !== 'string') return this.#constant(json, path);
    if (kind === 'title' && !this.#columns.has('title')) {
      this.#columns.set('title', { type: 'text', required: true, aliases: ['name', 'titel'] });
      this.#sent.push({ name: 'title', path, isRequired: true });
      return '{{title}}';
    }
    if (kind === 'picture' && /^(?:https?|data):/.test(json)) {
      return this.#column(path, name, {
        type: 'text',
        aliases: aliasesOf(name, ['image', 'bild']),
      });
    }
    if (isPlaceholder(json) && !json.includes(' ')) {
      return this.#column(path, name, { type: 'text', required: true });
    }
    // The text of an example must not be sent for other videos.
    if (kind === 'text') return this.#column(path, name, { type: 'text', required: true });
    if (kind === 'shape' || kind === 'identifier' || kind === 'seconds') {
      const columnName = kind === 'seconds' ? 'seconds' : kind === 'shape' ? shapeName(name) : name;
      return this.#column(path, columnName, { type: 'text', default: json });
    }
    return this.#constant(json, path);
  }

  /** A file of a row, which is sent as the example's. */
  #picture(
    path: string,
    name: string,
    send: 'data-url' | 'part' | 'upload',
    isList = false,
  ): string {
    const names = isList ? ['images', 'pictures', 'bilder'] : ['image', 'picture', 'bild'];
    return this.#column(path, name, {
      type: 'picture',
      send,
      ...(isList ? { maxItems: MAX_PICTURES } : {}),
      // An address is possible in most fields that are named so.
      ...(send === 'data-url' && /ur[il]s?$/i.test(name) ? { isAddressPossible: true } : {}),
      aliases: aliasesOf(name, names),
    });
  }

  #constant(json: string | number | boolean | null, path: string): Json | undefined {
    if (typeof json !== 'string') return json;
    if (json.length > MAX_CONSTANT) {
      this.#leftOut.push(path);
      return undefined;
    }
    // A placeholder in the example would be a column that does not exist.
    return json.replace(PLACEHOLDER, '$1').replaceAll('{{', '{ {');
  }

  #column(path: string, wanted: string, column: Column): string {
    const plain = wanted.replace(/[{}]/g, '').trim().slice(0, 90) || 'value';
    let name = plain;
    for (let number = 2; this.#isTaken(name); number += 1) name = `${plain} ${number}`;
    this.#columns.set(name, column);
    this.#sent.push({ name, path, isRequired: column.required === true });
    return `{{${name}}}`;
  }

  /** Headers of a table are compared ignoring case. */
  #isTaken(name: string): boolean {
    const taken = [...spellings({ title: TITLE, ...Object.fromEntries(this.#columns) }).keys()];
    return taken.includes(foldHeader(name));
  }
}

/** The name of a part of a template in a list of such parts; `null` for anything else. */
function layerOf(item: Json): string | null {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return isObject && typeof item.name === 'string' && item.name.trim() !== '' ? item.name : null;
}

/** `headline` for its text, `headline.color` for anything else. */
function columnOfLayer(layer: string, field: string): string {
  return /^(?:text|value)$/i.test(field) ? layer : `${layer}.${field}`;
}

function numberIn(json: Json): string | null {
  const content = typeof json === 'string' ? /^\{\{([^{}]+)\}\}$/.exec(json)?.[1] : undefined;
  return content === undefined ? null : numberInPlaceholder(content);
}

function kindOf(name: string): Kind {
  const folded = foldName(name);
  return KINDS.find(([names]) => names.test(folded))?.[1] ?? 'constant';
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

/**
 * The path of the text that differs from video to video: the best name, then the outermost, or a
 * sentence.
 */
function mainTextIn(root: JsonObject): string | null {
  const texts: { readonly path: string; readonly score: number }[] = [];
  const visit = (json: Json, path: string, name: string, depth: number): void => {
    if (typeof json === 'string') {
      if (numberIn(json) !== null || isSecret(json, name) || CALLBACK.test(foldName(name))) return;
      const at = KINDS.findIndex(([names]) => names.test(foldName(name)));
      const isNamed = KINDS[at]?.[1] === 'text';
      const isSentence = /\S\s+\S/.test(json) && !/^https?:/.test(json);
      if (isNamed || (at === -1 && isSentence)) {
        texts.push({ path, score: (isNamed ? 1000 - at * 100 : 0) - depth });
      }
    } else if (Array.isArray(json)) {
      json.forEach((item, index) => visit(item, `${path}[${index}]`, name, depth + 1));
    } else if (typeof json === 'object' && json !== null) {
      for (const [inner, value] of Object.entries(json)) {
        if (USER_NAMED.test(foldName(name))) continue;
        visit(value, path === '' ? inner : `${path}.${inner}`, inner, depth + 1);
      }
    }
  };
  visit(root, '', '', 0);
  const [best] = texts.sort((one, other) => other.score - one.score);
  return best?.path ?? null;
}

function isSecret(text: string, name: string): boolean {
  return (isCredentialName(name) && text !== '') || hasKey(text);
}

function nameOfText(name: string): string {
  return /prompt/i.test(name) ? 'prompt' : name === '' ? 'text' : name;
}

function shapeName(name: string): string {
  return /ratio|aspect/i.test(name) ? 'aspect' : /size/i.test(name) ? 'size' : name;
}

function aliasesOf(name: string, aliases: string[]): string[] {
  return aliases.filter((alias) => foldName(alias) !== foldName(name));
}
