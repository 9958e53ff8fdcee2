/** What the menus above the rows choose, after other choices. */
import { expect, it } from 'vitest';
import type { TableReading } from '../../../src/contract/table-reading.ts';
import { BatchChoices } from '../../../src/renderer/state/batch-choices.svelte.ts';
import { enViews } from '../../../src/renderer/texts/en-views.ts';
import {
  separatorItems,
  sheetItems,
  turnTable,
  undecidedIn,
} from '../../../src/renderer/views/add/reading-menus.ts';

const { reading: texts } = enViews.add;

function chosenBefore(): BatchChoices {
  const choices = new BatchChoices();
  choices.setReading(0, { language: 'de', headerRow: 2, skipRows: [4], keepRows: [5] });
  return choices;
}

it('forgets choices about rows when a table is turned', () => {
  const choices = chosenBefore();
  turnTable((change) => choices.setReading(0, change));
  expect(choices.readingOf(0)).toEqual({ language: 'de', turn: true });
});

it('reads another sheet as it is, whichever was turned', () => {
  const choices = chosenBefore();
  choices.setReading(0, { turn: true });
  const sheets = ['One', 'Two'].map((name) => ({ name, isHidden: false }));
  const reading = { sheet: 'One', sheets } as unknown as TableReading;
  sheetItems(reading, texts, (change) => choices.setReading(0, change))[1]?.onselect();
  expect(choices.readingOf(0)).toEqual({ language: 'de', sheet: 'Two' });
});

it('asks about no rows that are left out of the batch', () => {
  const range = { looksLike: 'total', text: 'Total' } as const;
  const undecided = [
    { ...range, row: 4, end: 4 },
    { ...range, row: 8, end: 9 },
  ];
  const asked = (...rows: number[]): number[] => {
    const leftOut = rows.map((row) => ({ row, name: 'Total', issues: [] }));
    return undecidedIn({ undecided } as unknown as TableReading, 10, { leftOut }).map(
      ({ row }) => row,
    );
  };
  expect(asked(4, 8)).toEqual([4, 8]);
  expect(asked(14, 18)).toEqual([8]);
  expect(asked(18, 19)).toEqual([4]);
});

it('offers the characters of the header as separators, and names the one that was found', () => {
  const choices = new BatchChoices();
  const reading = { separator: '^', quotes: 'double' } as TableReading;
  const items = separatorItems(reading, ['Plan 1#“x”', 'b_c'], texts, (change) =>
    choices.setReading(0, change),
  ).filter(({ group }) => group === 'separators');
  const labels = ['Comma', 'Semicolon', 'Tab', 'Vertical bar', '“^”', '“#”', '“_”'];
  expect(items.map(({ label }) => label)).toEqual([...labels, 'One column']);
  expect(items.filter(({ checked }) => checked).map(({ key }) => key)).toEqual(['^']);
  items[5]?.onselect();
  expect(choices.readingOf(0)).toEqual({ separator: '#' });
});
