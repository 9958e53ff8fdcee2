import { expect, it } from 'vitest';
import { BatchMemory } from '../../../src/renderer/state/batch-memory.ts';

function storage(kept: Record<string, string> = {}) {
  return {
    kept,
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
  };
}

const READING = { columns: { title: 'Film', closing: null }, templateText: null };

it('recalls how a file with the same columns was read, whatever their order', () => {
  const browserStorage = storage();
  new BatchMemory(browserStorage).keep(['Film', 'Length'], READING);
  const memory = new BatchMemory(browserStorage);
  expect(memory.recall(['Length', 'Film'])).toEqual(READING);
  expect(memory.recall(['Length'])).toBeNull();
  memory.keep(['Film', 'Length'], null);
  expect(memory.recall(['Length', 'Film'])).toBeNull();
});

it('forgets the least recently used entry', () => {
  const memory = new BatchMemory(storage());
  for (let file = 0; file < 45; file += 1) memory.keep([`Column ${file}`], READING);
  expect(memory.recall(['Column 4'])).toBeNull();
  expect(memory.recall(['Column 5'])).toEqual(READING);
});

it.each([
  'nonsense',
  '{}',
  '[1]',
  '[["k", null]]',
  '[["[\\"Film\\"]", {"columns": {"title": 1}, "templateText": null}]]',
])('ignores a stored value in an unknown format: %s', (kept) => {
  expect(new BatchMemory(storage({ 'spool.columns': kept })).recall(['Film'])).toBeNull();
});
