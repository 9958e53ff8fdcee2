/** What a text column of the storyboard needs besides its own entry in the profile. */
import { describe, expect, it } from 'vitest';
import { checkCells, requestOf } from '../../src/engine/intake/row-values.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import { costOf, storyboardSchema } from '../../src/local-service/rendering/storyboard.ts';

const { request: template } = storyboardProfile;

/** Columns of words that are shown, with their limits. */
const columns = Object.entries(template.columns).flatMap(([name, column]) =>
  column.type === 'text' || column.type === 'list' ? [{ name, ...column }] : [],
);

/** The storyboard of a row that has a text in every column. */
function storyboardWith(name: string, text: string) {
  const cells = columns.map((column): [string, string] => [
    column.name,
    column.name === name ? text : 'Short',
  ]);
  const { values, errors } = checkCells(template, cells);
  expect(errors).toEqual([]);
  return storyboardSchema.parse(JSON.parse(requestOf(template, values).body));
}

describe.each(columns)('the column $name', ({ name, label, description, maxLength = 0 }) => {
  it('has a label and a description in both languages', () => {
    expect(Object.keys(label ?? {})).toEqual(['en', 'de']);
    expect(Object.keys(description ?? {})).toEqual(['en', 'de']);
  });

  it('has a limit that the service accepts', () => {
    expect(maxLength).toBeGreaterThan(0);
    storyboardWith(name, 'x'.repeat(maxLength));
  });

  it('is read in the time of its scene', () => {
    const words = 'word '.repeat(Math.floor(maxLength / 5)).trim();
    const { seconds } = costOf(storyboardWith(name, words));
    expect(seconds).toBeGreaterThan(costOf(storyboardWith(name, 'Short')).seconds);
  });
});
