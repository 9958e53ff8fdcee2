import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HistoryList, type HistoryPage } from '../../../src/renderer/state/history-list.svelte.ts';
import { notPressed, pressedPointer } from '../../rigs/fake-pointer.ts';

interface Entry {
  readonly id: string;
}

/** A list of past entries, which can grow, in pages of three. */
function past(count: number, pointerReleased = notPressed) {
  let entries: Entry[] = Array.from({ length: count }, (_, index) => ({ id: `${count - index}` }));
  let lost = false;
  const asked: (string | null)[] = [];
  const list = new HistoryList<Entry>((after): Promise<HistoryPage<Entry>> => {
    asked.push(after);
    if (lost) return Promise.reject(new Error('There is no connection.'));
    const first = after === null ? 0 : entries.findIndex(({ id }) => id === after) + 1;
    const page = entries.slice(first, first + 3);
    const last = page.at(-1)?.id;
    return Promise.resolve({
      entries: page,
      next: first + 3 < entries.length && last !== undefined ? last : null,
    });
  }, pointerReleased);
  return {
    list,
    asked,
    shown: () => list.entries.map(({ id }) => id).join(' '),
    happen: (...ids: string[]) => {
      entries = [...ids.toReversed().map((id) => ({ id })), ...entries];
    },
    lose: (now: boolean) => {
      lost = now;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reads the newest page, and further pages as its end comes near', async () => {
  const { list, shown, asked } = past(7);
  await list.reload();
  expect(shown()).toBe('7 6 5');
  expect(list.total).toBe(4);

  list.show(0, 2);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toBe('7 6 5 4 3 2');
  list.show(3, 5);
  await vi.advanceTimersByTimeAsync(0);
  list.show(3, 6);
  await vi.advanceTimersByTimeAsync(0);

  expect(shown()).toBe('7 6 5 4 3 2 1');
  expect(list.total).toBe(7);
  expect(asked).toEqual([null, '5', '2']);
});

it('prepends new entries, and reads once for many changes', async () => {
  const { list, shown, happen, asked } = past(6);
  await list.reload();
  list.show(0, 2);
  await vi.advanceTimersByTimeAsync(0);

  happen('7');
  for (let times = 0; times < 20; times += 1) list.refresh();
  await vi.advanceTimersByTimeAsync(1000);

  expect(shown()).toBe('7 6 5 4 3 2 1');
  expect(asked).toEqual([null, '4', null]);
});

it('reloads when more happened than one page holds', async () => {
  const { list, shown, happen } = past(6);
  await list.reload();
  happen('7', '8', '9', '10');
  list.refresh();
  await vi.advanceTimersByTimeAsync(1000);

  expect(shown()).toBe('10 9 8');
  list.show(0, 2);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toBe('10 9 8 7 6 5');
});

it('moves nothing while the user is scrolled down, and catches up at the top', async () => {
  const { list, shown, happen } = past(6);
  await list.reload();
  list.show(2, 2);
  await vi.advanceTimersByTimeAsync(0);
  happen('7');
  list.refresh();
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown()).toBe('6 5 4 3 2 1');

  list.show(0, 2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown()).toBe('7 6 5 4 3 2 1');
});

it('keeps its entries when a read fails, and reads again at the next change', async () => {
  const { list, shown, happen, lose } = past(3);
  await list.reload();
  lose(true);
  list.refresh();
  await vi.advanceTimersByTimeAsync(1000);
  expect(list.status).toBe('unreadable');
  expect(shown()).toBe('3 2 1');

  lose(false);
  happen('4');
  list.refresh();
  await vi.advanceTimersByTimeAsync(1000);
  expect(list.status).toBe('ready');
  expect(shown()).toBe('4 3 2 1');
});

it('shows new entries once no pointer is pressed', async () => {
  const pointer = pressedPointer();
  const { list, shown, happen } = past(3, pointer.released);
  await list.reload();
  happen('4');
  list.refresh();
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown()).toBe('3 2 1');
  pointer.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toBe('4 3 2 1');
});

it('ignores an answer that arrives after another request', async () => {
  const answers: ((page: HistoryPage<Entry>) => void)[] = [];
  const list = new HistoryList<Entry>(
    () => new Promise((resolve) => answers.push(resolve)),
    notPressed,
  );
  const first = list.reload();
  const second = list.reload();
  answers[1]?.({ entries: [{ id: 'wanted' }], next: null });
  answers[0]?.({ entries: [{ id: 'late' }], next: null });
  await Promise.all([first, second]);
  expect(list.entries).toEqual([{ id: 'wanted' }]);
});

it('shows the answers of a slow engine although new entries come faster', async () => {
  let count = 0;
  const list = new HistoryList<Entry>(async () => {
    const id = `${(count += 1)}`;
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return { entries: [{ id }], next: null };
  }, notPressed);
  void list.reload();
  for (let second = 0; second < 5; second += 1) {
    list.refresh();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(list.status).toBe('ready');
  const shown = list.entries[0]?.id;
  expect(shown).toBeDefined();

  // The entries of the time meanwhile are read afterwards.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(list.entries[0]?.id).not.toBe(shown);
  list.stop();
});
