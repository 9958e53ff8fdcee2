import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const RENDERER = path.join(import.meta.dirname, '..', '..', '..', 'src', 'renderer');

/** Properties that name a side of the screen, where CSS has logical ones. */
const PHYSICAL = [
  /^(margin|padding|border|scroll-margin|scroll-padding)-(left|right)/,
  /^(left|right)$/,
  /^border-(top|bottom)-(left|right)-radius$/,
];
/** Shorthands whose fourth value is the left side. */
const SHORTHANDS = ['margin', 'padding', 'inset', 'border-width', 'border-color', 'border-style'];

/** Declarations in styles, and in `style:` directives, that name a side of the screen. */
function physicalIn(source: string): string[] {
  const directives = [...source.matchAll(/style:([a-z-]+)/g)].map(([, name = '']) => `${name}:`);
  const [, styles = source] = /<style>(.*)<\/style>/s.exec(source) ?? [];
  const withoutComments = styles.replace(/\/\*.*?\*\//gs, '');
  const declarations = withoutComments.match(/(?<=[{;]\s*)[a-z-]+:[^;{}]+(?=;)/g) ?? [];
  return [...directives, ...declarations].filter((declaration) => {
    const [name = '', value = ''] = declaration.split(/:(.*)/s).map((part) => part.trim());
    if (PHYSICAL.some((pattern) => pattern.test(name))) return true;
    if (name === 'text-align' || name === 'float') return /^(left|right)$/.test(value);
    // What is between parentheses counts as one value.
    const values = value.replace(/\((?:[^()]|\([^()]*\))*\)/g, '').split(/\s+/);
    return SHORTHANDS.includes(name) && values.length === 4;
  });
}

it('styles name sides by the direction of the text, not of the screen', () => {
  const files = globSync('**/*.{svelte,css}', { cwd: RENDERER });
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    physicalIn(readFileSync(path.join(RENDERER, file), 'utf8')).map((what) => `${file}: ${what}`),
  );
  expect(found).toEqual([]);
});

it.each([
  'margin-left: 4px',
  'border-right-color: red',
  'border-top-left-radius: 2px',
  'left: 0',
  'text-align: right',
  'padding: 0 1px 2px 3px',
  'inset: 0 0 var(--height, 0px) auto',
])('finds %s', (declaration) => {
  expect(physicalIn(`<style>\n  p {\n    color: red;\n    ${declaration};\n  }\n</style>`)).toEqual(
    [declaration],
  );
});

it('finds a directive, and ignores logical properties', () => {
  expect(physicalIn('<p style:left="2px" style:width="2px">right: 2px;</p>')).toEqual(['left:']);
  expect(physicalIn('p { margin: 0 calc(1px + 2px) 0; inset-inline-start: 0; }')).toEqual([]);
});
