import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ROWS } from '../../../../src/contract/batch-limits.ts';
import { columnValuesSchema, MAX_COLUMN_VALUES } from '../../../../src/contract/column-values.ts';
import { readBatch, readColumn } from '../../../../src/engine/intake/read-batch.ts';
import { readColumnAside } from '../../../../src/engine/intake/read-batch-aside.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const template = storyboardProfile.request;
const source = {
  name: 'a.csv',
  content: 'title,Colour\nOne,blau\nTwo, blau \nThree,#ffb020\nFour,\nFive,blau\nSix,\n',
};

describe('the distinct values of a column', () => {
  it('are counted with their rows, the most frequent first', () => {
    expect(readColumn(source, template, {}, 'Colour')).toEqual({
      values: [
        { text: 'blau', count: 3, rows: [2, 3, 6] },
        { text: '', count: 2, rows: [5, 7] },
        { text: '#ffb020', count: 1, rows: [4] },
      ],
      distinct: 3,
    });
  });

  it('have the corrections of the user and not the rows that are left out', () => {
    const options = { edits: { '2': { Colour: '#ffb020' } }, leaveOut: [5, 6, 7] };
    expect(readColumn(source, template, options, 'Colour').values).toEqual([
      { text: '#ffb020', count: 2, rows: [2, 4] },
      { text: 'blau', count: 1, rows: [3] },
    ]);
  });

  it('correct all rows of one value together, by their numbers', () => {
    const [blue] = readColumn(source, template, {}, 'Colour').values;
    const edits = Object.fromEntries(
      (blue?.rows ?? []).map((row) => [String(row), { Colour: '#2a6f97' }]),
    );
    const { rows, errors } = readBatch(source, template, { edits });
    expect(errors).toEqual([]);
    expect(rows.filter(({ body }) => body.includes('#2a6f97'))).toHaveLength(3);
  });

  it('have the numbers of rows in the batch when it is several files', () => {
    const further = [{ name: 'b.csv', content: 'title,colour\nSeven,blau\n' }];
    const { values } = readColumn({ ...source, further }, template, {}, 'Colour');
    const { files } = readBatch({ ...source, further }, template);
    expect(values[0]?.rows).toEqual([2, 3, 6, (files[1]?.rowsBefore ?? 0) + 2]);
  });

  it('are at most as many as the contract allows, with the number of all', async () => {
    const rows = Array.from({ length: MAX_BATCH_ROWS }, (_, at) => `Row ${at},${at % 150}`);
    const large = { name: 'a.csv', content: ['title,kind', ...rows].join('\n') };
    const found = await readColumnAside(large, template, {}, 'kind');
    expect(columnValuesSchema.parse(found).values).toHaveLength(MAX_COLUMN_VALUES);
    expect(found.distinct).toBe(150);
    expect(found.values[0]).toMatchObject({ text: '0', count: Math.ceil(MAX_BATCH_ROWS / 150) });
  });

  it('are none in a file that cannot be read, and empty in a column that the file lacks', () => {
    const json = { name: 'a.json', content: '[{"title":"One"},' };
    expect(readColumn(json, template, {}, 'title')).toEqual({ values: [], distinct: 0 });
    expect(readColumn(source, template, {}, '__proto__').values).toEqual([
      { text: '', count: 6, rows: [2, 3, 4, 5, 6, 7] },
    ]);
  });
});
