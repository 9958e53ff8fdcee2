import { expect, it } from 'vitest';
import type { BatchOptions } from '../../../../src/contract/batch.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

/** Number and name of each invalid row of a file. */
function namesIn(
  content: string,
  name = 'batch.csv',
  options: BatchOptions = {},
): [number, string][] {
  const { invalidRows } = readBatch({ name, content }, storyboardProfile.request, options);
  return invalidRows.map((invalid) => [invalid.row, invalid.name]);
}

it('names an invalid row by its title, or else by the first cell with text', () => {
  expect(
    namesIn('id,aspect,title\n1,3:2,Plum tart\n2,16:9,Sound\n ,3:2,\n4,16:9, \n', 'batch.csv'),
  ).toEqual([
    [2, 'Plum tart'],
    [4, '3:2'],
    [5, '4'],
  ]);
});

it('takes the title from the column selected for it', () => {
  expect(
    namesIn('Film,title,aspect\nA,One,3:2\n', 'batch.csv', { columns: { title: 'Film' } }),
  ).toEqual([[2, 'A']]);
});

it('names a row once, whatever the number of its errors, and rows of another width too', () => {
  expect(
    namesIn('title,aspect,seconds\nOne,3:2,soon\nTwo,1:1,8,more\n\nThree,16:9,8,more\n'),
  ).toEqual([
    [2, 'One'],
    [3, 'Two'],
    [5, 'Three'],
  ]);
});

it('names rows while required columns are missing', () => {
  expect(namesIn('Dish,aspect\nPlum tart,1:1,x\nSoup,16:9\n')).toEqual([[2, 'Plum tart']]);
});

it('names entries of JSON, except those without text', () => {
  expect(namesIn('[{"title": {"a": 1}, "aspect": "16:9"}, {"title": null}]', 'batch.json')).toEqual(
    [[1, '16:9']],
  );
});

it('names an entry that is not an object by its content', () => {
  expect(namesIn('[{"title": "A"}, 7, "Plum tart", null, ["x"]]', 'batch.json')).toEqual([
    [2, '7'],
    [3, 'Plum tart'],
    [4, 'null'],
  ]);
  expect(namesIn('{"title": "A"}\n{"title": "Two",\n', 'batch.jsonl')).toEqual([
    [2, '{"title": "Two",'],
  ]);
});

it('does not use a cell of another row for a missing one', () => {
  const content = '[{"toString": "x", "title": "One"}, {"aspect": "3:2"}]';
  expect(namesIn(content, 'batch.json')).toEqual([[2, '3:2']]);
});

it('keeps names to one short line without control characters', () => {
  const content = `title,aspect\n"<b>a\u001b[31m\n\u202eb</b> ${'x'.repeat(500)}",3:2\n`;
  const name = namesIn(content)[0]?.[1];
  expect(name).toMatch(/^<b>a\[31m b<\/b> x+…$/);
  expect(name).toHaveLength(120);
});
