/** The options that answer what the reading of a table asks. */
import { expect, it } from 'vitest';
import { readingHints } from '../../../src/cli/reading-options.ts';
import { readBatch } from '../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';

function hintsFor(content: string): readonly string[] {
  const { errors } = readBatch({ name: 'Videos', content }, storyboardProfile.request);
  return readingHints(errors);
}

it('names the rows that may not be videos as the options take them', () => {
  const content =
    'title,message,seconds\nWeek 48,,\nOne,a,4\nTwo,b,5\nTotal,,9\n\nName,Role\nAnna,Editor\nJo,Camera\n';
  expect(hintsFor(content)).toEqual([
    'Leave totals out with --skip-rows 5, or make videos of them with --include-totals.',
    'Leave these rows out with --skip-rows 2,5,7-9, or make videos of them with --keep-rows 2,7-9.',
  ]);
  expect(hintsFor('title,seconds\nOne,5\nTwo,6\nTotal,11\nAverage,5.5\n')).toEqual([
    'Leave totals out with --skip-rows 4-5, or make videos of them with --include-totals.',
  ]);
});

it('says how to choose a column that is not found by its name, or twice', () => {
  expect(hintsFor('Product,seconds\nOne,5\n')).toEqual([
    'Choose a column for “title” with --column "title=HEADER".',
  ]);
  expect(hintsFor('title,seconds,duration\nOne,5,6\n')).toEqual([
    'Choose a column for “seconds” with --column "seconds=HEADER".',
  ]);
});

it('has none for other errors', () => {
  expect(hintsFor('title,seconds\nOne,x\n')).toEqual([]);
});
