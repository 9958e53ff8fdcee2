import { describe, expect, it } from 'vitest';
import { LineWindow } from '../../../src/renderer/design/line-window.svelte.ts';

type Lines = ReturnType<ConstructorParameters<typeof LineWindow>[0]>;

/** Lines 10 pixels high in a viewport of 50. */
const LIST: Lines = { total: 100, lineHeight: 10, height: 50 };

function windowOf(changed: Partial<Lines> = {}) {
  const lines: Lines = { ...LIST, ...changed };
  const list = new LineWindow(
    () => lines,
    () => undefined,
  );
  const scroller = { scrollTop: 0 } as HTMLElement;
  list.scroller = scroller;
  return {
    list,
    scroller,
    scrollTo: (top: number): void => {
      scroller.scrollTop = top;
      list.scrollTop = top;
    },
    press: (key: string, cursor: number, altKey = false) => {
      let isTaken = false;
      const event = { key, altKey, preventDefault: () => (isTaken = true) };
      return { index: list.follow(event as unknown as KeyboardEvent, cursor), isTaken };
    },
  };
}

describe('the rendered lines', () => {
  it('are the visible ones and the overscan ones beyond each edge', () => {
    const { list, scrollTo } = windowOf();
    expect([list.first, list.last, list.count]).toEqual([0, 13, 14]);
    scrollTo(300);
    expect([list.first, list.last, list.count]).toEqual([26, 39, 14]);
    expect([25, 26, 39, 40].map((index) => list.isRendered(index))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('stop at the end of the list', () => {
    const { list, scrollTo } = windowOf();
    scrollTo(950);
    expect([list.first, list.last]).toEqual([86, 99]);
  });

  it('include none of an empty list, and all of a short one', () => {
    const { list } = windowOf({ total: 0 });
    expect([list.fullHeight, list.count, list.last, list.isRendered(0)]).toEqual([0, 0, -1, false]);
    const { list: short } = windowOf({ total: 3 });
    expect([short.fullHeight, short.count, short.first, short.last]).toEqual([30, 3, 0, 2]);
  });
});

describe('scrolling to an item', () => {
  it('scrolls the shortest distance that shows it whole', () => {
    const { list, scroller, scrollTo } = windowOf();
    scrollTo(100);
    list.reveal(12);
    expect(scroller.scrollTop).toBe(100);
    list.reveal(7);
    expect([scroller.scrollTop, list.scrollTop]).toEqual([70, 70]);
    list.reveal(12);
    expect([scroller.scrollTop, list.scrollTop]).toEqual([80, 80]);
  });

  it('does nothing before the list has a height', () => {
    const { list, scroller } = windowOf({ height: 0 });
    list.reveal(50);
    expect(scroller.scrollTop).toBe(0);
  });

  it('counts partly visible items as visible', () => {
    const { list, scrollTo } = windowOf();
    scrollTo(105);
    expect([-1, 9, 10, 15, 16].map((index) => list.isVisible(index))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('keys', () => {
  it.each([
    ['ArrowDown', 10, 11],
    ['ArrowDown', -1, 0],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 10, 9],
    ['ArrowUp', 0, 0],
    ['PageDown', 10, 14],
    ['PageUp', 10, 6],
    ['PageUp', 2, 0],
    ['Home', 50, 0],
    ['End', 50, 99],
  ])('%s moves the cursor from %i to %i', (key, cursor, index) => {
    expect(windowOf().press(key, cursor)).toEqual({ index, isTaken: true });
  });

  it.each(['ArrowRight', 'ArrowLeft', 'a', 'Enter'])('%s moves nothing in a list', (key) => {
    expect(windowOf().press(key, 10)).toEqual({ index: null, isTaken: false });
  });

  it('ignore Alt and an empty list', () => {
    expect(windowOf().press('ArrowDown', 1, true)).toEqual({ index: null, isTaken: false });
    expect(windowOf({ total: 0 }).press('Home', -1)).toEqual({ index: null, isTaken: false });
  });

  it('scroll to the cursor', () => {
    const { press, scroller, list } = windowOf();
    press('End', 0);
    expect([scroller.scrollTop, list.scrollTop]).toEqual([950, 950]);
  });

  it('move by a line where the viewport is lower than one', () => {
    expect(windowOf({ height: 8 }).press('PageDown', 3).index).toBe(4);
  });
});
