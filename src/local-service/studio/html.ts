/** Markup that is safe to send: only {@link html} creates it, which escapes all values. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Values in a template. `undefined` and `false` render as nothing; lists are joined. */
export type Content = Html | string | number | undefined | false | readonly Content[];

/**
 * A tagged template for markup. It escapes text for element content and quoted attribute values, so
 * attribute values must be quoted.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const text = strings.map((piece, index) => piece + markupOf(values[index])).join('');
  return new Html(text);
}

function markupOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.toString();
  if (typeof content === 'string' || typeof content === 'number') return escaped(String(content));
  return content.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
