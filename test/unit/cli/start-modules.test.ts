/** What a start loads: hundreds of modules that a command does not need take more time than it does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '..', '..', '..', 'src');

/** Imports and exports that are followed before the first line runs: none of types, none in functions. */
const STATIC_IMPORT =
  /^(?:import|export)\s(?!type\b)[^;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** Files and packages that loading a file loads, too. @param file absolute path */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    const name = from ?? alone ?? '';
    if (name.startsWith('.')) loadedBy(path.resolve(file, '..', name), found);
    else if (!name.startsWith('node:')) found.add(name);
  }
  return found;
}

function packagesOf(start: string): string[] {
  return [...loadedBy(path.join(SOURCES, start))].filter((each) => !path.isAbsolute(each));
}

it('knows what a file loads', () => {
  expect(packagesOf('cli/display/text-cells.ts')).toEqual(['string-width']);
  expect(packagesOf('contract/base-address.ts')).toEqual([]);
});

it('reads a command line with no package but these', () => {
  expect(packagesOf('cli/main.ts').toSorted()).toEqual(['commander', 'env-paths']);
});

it('lists and changes a queue without readers of tables and writers of workbooks', () => {
  const loaded = packagesOf('cli/open-queue.ts');
  for (const name of ['htmlparser2', 'numfmt', 'write-excel-file/universal'])
    expect(loaded).not.toContain(name);
});
