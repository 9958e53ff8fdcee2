/** What the user chose about reading, for a batch and for single files. */
import { expect, it } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const { request } = storyboardProfile;
const TABLE = 'title;seconds\n(text);(s)\nOne;4\nTwo;5\nSum;9\n';

const titles = (source: Parameters<typeof readBatch>[0], reading = {}) =>
  readBatch(source, request, { reading }).rows.map(({ title }) => title);

it('rows that look like no videos make some if they are kept', () => {
  const source = { name: 'a.csv', content: TABLE };
  const before = readBatch(source, request);
  expect(before.errors.map(({ row }) => row)).toEqual([5]);
  expect(before.files[0]?.reading?.leftOut.map(({ row, reason }) => [row, reason])).toEqual([
    [2, 'units'],
  ]);
  const kept = readBatch(source, request, { reading: { keepRows: [5] } });
  expect(kept.errors).toEqual([]);
  expect(kept.rows.map(({ title }) => title)).toEqual(['One', 'Two', 'Sum']);
  const units = readBatch(source, request, { reading: { keepRows: [2], skipRows: [5] } });
  expect(units.errors.map(({ row }) => row)).toEqual([2]);
});

it('a row that is skipped is not kept', () => {
  const source = { name: 'a.csv', content: TABLE };
  expect(titles(source, { keepRows: [5], skipRows: [5] })).toEqual(['One', 'Two']);
});

it('choices for a file take precedence over those of the batch', () => {
  const source = {
    name: 'a.csv',
    content: 'x\ntitle\nOne\n',
    reading: { headerRow: 2 },
    further: [{ name: 'b.csv', content: 'title\nTwo\nThree\n' }],
  };
  expect(titles(source, { skipRows: [2] })).toEqual(['One', 'Three']);
});
