import path from 'node:path';
import type { ESTree, Plugin } from 'vite';

/** The modules whose texts are in one language, with those that they import. */
const LANGUAGE_OF: Readonly<Record<string, string>> = {
  'en.ts': 'en',
  'en-views.ts': 'en',
  'de.ts': 'de',
};

const QUERY = /\?language=(?<language>\w+)$/;

/**
 * A plugin of the bundler: the catalogues have all languages of a text side by side, and the page
 * loads one language. For the modules of `LANGUAGE_OF`, it makes a copy of each module that they
 * import, with `{ en: X, de: Y }` replaced by one of the two. `inLanguage` returns those as they are.
 *
 * @param root absolute path of the folder with the modules of `LANGUAGE_OF`
 */
export function oneLanguage(root: string): Plugin {
  return {
    name: 'one-language',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const [file = ''] = importer.split('?');
      const own = path.dirname(file) === root ? LANGUAGE_OF[path.basename(file)] : undefined;
      const language = QUERY.exec(importer)?.groups?.language ?? own;
      if (language === undefined) return null;
      const resolved = await this.resolve(source, file, { skipSelf: true });
      if (resolved === null || resolved.id.includes('?')) return resolved;
      // The texts of another module of the same language, which are in one copy already.
      const isLanguage =
        path.dirname(resolved.id) === root && path.basename(resolved.id) in LANGUAGE_OF;
      return isLanguage ? resolved : `${resolved.id}?language=${language}`;
    },
    transform: {
      // After the types are removed.
      order: 'post',
      handler(code, id) {
        const language = QUERY.exec(id)?.groups?.language;
        return language === undefined
          ? null
          : { code: pickLanguage(code, this.parse(code), language), map: null };
      },
    },
  };
}

/** The code with each translation replaced by its text in one language. */
function pickLanguage(code: string, program: ESTree.Program, language: string): string {
  const texts: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const translation = translationIn(node as ESTree.Node, language);
    if (translation === null) {
      for (const child of Object.values(node)) visit(child);
      return;
    }
    const { start, end } = node as ESTree.Node;
    texts.push({ start, end, text: code.slice(translation.start, translation.end) });
  };
  visit(program);
  return texts.reduceRight(
    (rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end),
    code,
  );
}

/** The text of a translation in one language; `null` for every other node. */
function translationIn(node: ESTree.Node, language: string): ESTree.Expression | null {
  if (node.type !== 'ObjectExpression' || node.properties.length !== 2) return null;
  const values = new Map(
    node.properties.flatMap((property) =>
      property.type === 'Property' && property.key.type === 'Identifier'
        ? [[property.key.name, property.value] as const]
        : [],
    ),
  );
  return values.has('en') && values.has('de') ? (values.get(language) ?? null) : null;
}
