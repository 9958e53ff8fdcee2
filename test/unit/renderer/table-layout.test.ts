import { expect, it } from 'vitest';
import { TableLayout } from '../../../src/renderer/state/table-layout.svelte.ts';

function storage(stored: string | null = null) {
  let text = stored;
  return { getItem: () => text, setItem: (_key: string, value: string) => void (text = value) };
}

it('remembers hidden columns, widths and the order', () => {
  const stored = storage();
  const layout = new TableLayout(stored, 'queue');
  layout.toggle('size');
  layout.resize('when', 200.4);
  layout.sortBy({ by: 'title', descending: true });
  const again = new TableLayout(stored, 'queue');
  expect(again.isHidden('size')).toBe(true);
  expect(again.widthOf('when')).toBe(200);
  expect(again.order).toEqual({ by: 'title', descending: true });
});

it('shows a hidden column again, and gives a column its own width back', () => {
  const layout = new TableLayout(storage(), 'queue');
  layout.toggle('size');
  layout.toggle('size');
  layout.resize('when', 10_000);
  expect(layout.widthOf('when')).toBe(1200);
  layout.resize('when', null);
  expect([layout.isHidden('size'), layout.widthOf('when'), layout.isResized]).toEqual([
    false,
    null,
    false,
  ]);
});

it.each(['nonsense', '[]', '{"hidden":3,"widths":{"when":"wide"},"order":{"by":"luck"}}'])(
  'reads %s as nothing',
  (text) => {
    const layout = new TableLayout(storage(text), 'queue');
    expect([layout.isHidden('when'), layout.isResized, layout.order]).toEqual([false, false, null]);
  },
);
