import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** The test files that a row of `docs/abuse.md` names, by the row's number. */
function namedTests(): Map<number, string[]> {
  const table = readFileSync(path.join(REPOSITORY, 'docs', 'abuse.md'), 'utf8');
  const rows = table.matchAll(/^\| (\d+) +\|.*$/gm);
  return new Map(
    [...rows].map(([row, number]) => [
      Number(number),
      [...row.matchAll(/\]\(\.\.\/(\S+?\.test\.ts)\)/g)].map(([, file = '']) => file).sort(),
    ]),
  );
}

/** The test files that cite a row of `docs/abuse.md`, by the row's number. */
function citingTests(): Map<number, string[]> {
  const cited = new Map<number, string[]>();
  for (const file of globSync('test/**/*.test.ts', { cwd: REPOSITORY }).sort()) {
    const text = readFileSync(path.join(REPOSITORY, file), 'utf8');
    const rows = text.matchAll(
      /^ *\/\/ abuse\.md (\d+(?:, \d+)*)\n *(?:it|test|describe|expect|for|'|\()/gm,
    );
    const numbers = [...rows].flatMap(([, list = '']) => list.split(', ').map(Number));
    for (const number of new Set(numbers)) {
      cited.set(number, [...(cited.get(number) ?? []), file.replaceAll(path.sep, '/')]);
    }
  }
  return cited;
}

it('every abuse case names the tests that cover it, and they cite the case', () => {
  const cases = namedTests();
  expect([...cases.keys()]).toEqual(Array.from({ length: cases.size }, (_, index) => index + 1));
  expect(cases.size).toBeGreaterThanOrEqual(29);
  for (const [number, tests] of cases) expect(tests, `row ${number}`).not.toEqual([]);
  expect(Object.fromEntries(citingTests())).toEqual(Object.fromEntries(cases));
});
