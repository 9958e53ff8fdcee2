import { expect, test } from 'vitest';
import { RowPacker, unpack, type ReadRow } from '../../../../src/engine/intake/intake-row.ts';
import { requestsOf } from '../../../../src/engine/intake/row-values.ts';

const makeRequest = requestsOf({
  title: 'title',
  columns: { title: { type: 'text' }, seconds: { type: 'number' } },
  preset: [],
  body: { name: '{{title}}', seconds: '{{seconds}}' },
});

function rowOf(at: number, title: string, others: ReadRow['values'] = []): ReadRow {
  const values: ReadRow['values'] = [['title', title], ['seconds', at / 8], ...others];
  const { preset, bodySha256 } = makeRequest(values);
  const [row, index] = [at + 2, at + 1];
  return { row, rowInFile: row, index, variant: `${at % 2}:9`, title, preset, bodySha256, values };
}

const rows: readonly ReadRow[] = [
  rowOf(0, '\ufeffMark', [['notes', 'half \ud83d of a pair']]),
  rowOf(1, ''),
  rowOf(2, 'Ünïcode 🎬\0', [['points', ['one', '']]]),
  ...Array.from({ length: 1000 }, (_, at) => rowOf(at + 3, `Row ${at}`)),
];

const contentOf = ({
  row,
  rowInFile,
  index,
  variant,
  title,
  preset,
  bodySha256,
  values,
}: ReadRow) => [[row, rowInFile, index, variant, title, preset, bodySha256], values];

test('a packed row has what it had, in another thread, too', () => {
  const packer = new RowPacker();
  for (const row of rows) packer.add(row);
  const packed = packer.packed();
  const buffers = packed.flatMap(({ texts, numbers }) => [texts.buffer, numbers.buffer]);
  const unpacked = unpack(structuredClone(packed, { transfer: buffers }), makeRequest);

  expect(unpacked.map(contentOf)).toEqual(rows.map(contentOf));
  expect(unpacked.map(({ body }) => body)).toEqual(
    rows.map(({ values }) => makeRequest(values).body),
  );
  expect(packed.flatMap(({ shared }) => shared)).toHaveLength(3 * packed.length);
});
