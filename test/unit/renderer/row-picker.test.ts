import { describe, expect, it } from 'vitest';
import type { AppState } from '../../../src/renderer/state/app-state.svelte.ts';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { DetailsState } from '../../../src/renderer/state/details-state.svelte.ts';
import { JobList } from '../../../src/renderer/state/job-list.svelte.ts';
import { Selection } from '../../../src/renderer/state/selection.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { RowPicker } from '../../../src/renderer/views/row-picker.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const PLACE = { x: 4, y: 8 } as DOMRect;

/** A view of four queued rows, `job-0` to `job-3`. */
async function pickerOf({ narrow = false } = {}) {
  const states = Array.from({ length: 4 }, () => 'queued' as const);
  const engine = fakeEngine({ states }, 0);
  const { client } = engine;
  const list = new JobList(client, notPressed);
  list.reload();
  await expect.poll(() => list.at(3)?.id).toBe('job-3');
  const selection = new Selection(list);
  const awaited: Promise<unknown>[] = [];
  const details = new DetailsState(client, notPressed);
  const app = {
    commands: new Commands(client, new Toasts(notPressed, 5000), () => en),
    details,
    keys: { holdUntil: (work: Promise<unknown>) => void awaited.push(work) },
    narrow,
  };
  const picker = new RowPicker(app as unknown as AppState, { list, selection });
  return { engine, list, picker, selection, details, awaited, chosen: () => [...selection.ids] };
}

describe('a row that is pressed', () => {
  it('is selected alone, as the end of a range, or in addition', async () => {
    const { picker, awaited, chosen } = await pickerOf();
    picker.pick(1, 'move');
    expect(chosen()).toEqual(['job-1']);
    picker.pick(3, 'extend');
    // Later keys wait for the rows that this selects.
    expect(awaited).toHaveLength(1);
    await Promise.all(awaited);
    expect(chosen()).toEqual(['job-1', 'job-2', 'job-3']);
    picker.pick(2, 'toggle');
    expect(chosen()).toEqual(['job-1', 'job-3']);
    picker.pick(0, 'move');
    expect(chosen()).toEqual(['job-0']);
  });

  it('is shown in details that are open, and does not open them', async () => {
    const { picker, details } = await pickerOf();
    picker.pick(1, 'move');
    expect(details.id).toBeNull();
    picker.open(1);
    expect(details.id).toBe('job-1');
    picker.pick(2, 'move');
    expect(details.id).toBe('job-2');
    picker.pick(3, 'toggle');
    picker.pick(0, 'extend');
    expect(details.id).toBe('job-2');
  });

  it('leaves details alone where they cover the list', async () => {
    const { picker, details } = await pickerOf({ narrow: true });
    picker.open(1);
    picker.pick(2, 'move');
    expect(details.id).toBe('job-1');
  });

  it('looks selected when it is, and when its details are open', async () => {
    const { picker } = await pickerOf();
    picker.pick(1, 'move');
    picker.open(3);
    const looks = [0, 1, 2, 3, 4].map((index) => picker.isSelected(index));
    expect(looks).toEqual([false, true, false, true, false]);
  });

  it('looks selected when only another video of its row is', async () => {
    const { engine, list, picker, chosen } = await pickerOf();
    picker.pick(1, 'move');
    engine.change(['job-0', 'job-1'], { rowId: 'job-0' });
    list.narrow({ grouping: 'sections', unfoldedRows: [] });
    await list.read;
    expect([chosen(), picker.isSelected(0)]).toEqual([['job-1'], true]);
  });

  it('that is not loaded yet opens nothing', async () => {
    const { picker, details, chosen } = await pickerOf();
    picker.open(9);
    picker.openMenu(9, PLACE);
    expect([details.id, picker.menuAt, chosen()]).toEqual([null, null, []]);
  });
});

describe('the menu', () => {
  it('is for the selection when the row is in it', async () => {
    const { picker, chosen } = await pickerOf();
    picker.pick(1, 'move');
    picker.pick(2, 'toggle');
    picker.openMenu(2, PLACE);
    expect([picker.menuAt, chosen()]).toEqual([PLACE, ['job-1', 'job-2']]);
    picker.closeMenu();
    expect([picker.menuAt, picker.menu]).toEqual([null, []]);
  });

  it('is for the row alone when the row is not in the selection', async () => {
    const { picker, chosen } = await pickerOf();
    picker.pick(1, 'move');
    picker.openMenu(3, PLACE);
    expect([picker.menuAt, chosen()]).toEqual([PLACE, ['job-3']]);
  });
});
