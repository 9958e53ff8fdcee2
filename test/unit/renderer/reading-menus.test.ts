/** What the menus above the rows choose, after other choices. */
import { expect, it } from 'vitest';
import type { TableReading } from '../../../src/contract/table-reading.ts';
import { BatchChoices } from '../../../src/renderer/state/batch-choices.svelte.ts';
import { enViews } from '../../../src/renderer/texts/en-views.ts';
import { sheetItems, turnTable } from '../../../src/renderer/views/add/reading-menus.ts';

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
