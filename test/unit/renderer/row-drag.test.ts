import { describe, expect, it } from 'vitest';
import { RowDrag, type RowDragActions } from '../../../src/renderer/design/row-drag.svelte.ts';

/** A table of five movable rows, and events at a position in it, in rows. */
function dragOf(actions: RowDragActions = {}) {
  const calls: (readonly [name: string, at: number])[] = [];
  const drag = new RowDrag(
    () => 5,
    (event) => event.clientY,
    () => ({
      dragging: () => 'move',
      onpickup: (index) => void calls.push(['pickup', index]),
      onreorder: (to) => void calls.push(['reorder', to]),
      onhandover: (index) => void calls.push(['handover', index]),
      ...actions,
    }),
  );
  const at = (clientY: number) => {
    const event = {
      clientY,
      defaultPrevented: false,
      preventDefault: () => (event.defaultPrevented = true),
    };
    return event as typeof event & DragEvent;
  };
  return { drag, calls, at };
}

describe('a row that is moved', () => {
  it('is the one that was pressed, and drops at the nearest edge', () => {
    const { drag, calls, at } = dragOf();
    drag.press(at(1.9));
    // The table was scrolled before the pointer moved.
    drag.start(at(3.9));
    expect([drag.isMoving, drag.target]).toEqual([true, null]);
    const over = at(3.4);
    drag.over(over);
    expect([drag.target, over.defaultPrevented]).toEqual([3, true]);
    drag.over(at(3.6));
    expect(drag.target).toBe(4);
    const drop = at(0.4);
    drag.drop(drop);
    expect(calls).toEqual([
      ['pickup', 1],
      ['reorder', 0],
    ]);
    expect([drop.defaultPrevented, drag.isMoving, drag.target]).toEqual([true, false, null]);
  });

  it.each([
    [-3, 0, 0],
    [0, 0, 0],
    [4.9, 4, 5],
    [12, 4, 5],
  ])('stays within the table at %d', (place, picked, dropped) => {
    const { drag, calls, at } = dragOf();
    drag.press(at(place));
    drag.start(at(place));
    drag.over(at(place));
    expect(drag.target).toBe(dropped);
    drag.drop(at(place));
    expect(calls).toEqual([
      ['pickup', picked],
      ['reorder', dropped],
    ]);
  });

  it('is not dropped when the drag ends outside', () => {
    const { drag, calls, at } = dragOf();
    drag.press(at(2));
    drag.start(at(2));
    drag.over(at(4));
    drag.end();
    expect([drag.isMoving, drag.target]).toEqual([false, null]);
    drag.drop(at(4));
    expect(calls).toEqual([['pickup', 2]]);
  });
});

describe('anything else', () => {
  it('that is dragged over the table is not accepted', () => {
    const { drag, at } = dragOf();
    const over = at(2);
    drag.over(over);
    expect([over.defaultPrevented, drag.target]).toEqual([false, null]);
  });

  it('is handed over, and moves nothing', () => {
    const { drag, calls, at } = dragOf({ dragging: () => 'hand-over' });
    const start = at(2.5);
    drag.press(start);
    drag.start(start);
    expect([calls, drag.isMoving, start.defaultPrevented]).toEqual([
      [['handover', 2]],
      false,
      false,
    ]);
  });

  it.each([{ dragging: () => null }, { dragging: undefined }])('is not dragged: %o', (actions) => {
    const { drag, calls, at } = dragOf(actions);
    const start = at(1);
    drag.press(start);
    drag.start(start);
    expect([calls, drag.isMoving, start.defaultPrevented]).toEqual([[], false, true]);
  });
});
