import { describe, expect, it } from 'vitest';
import { LineWindow } from '../../../src/renderer/design/line-window.svelte.ts';

type Lines = ReturnType<ConstructorParameters<typeof LineWindow>[0]>;

/** Lines 10 pixels high in a viewport of 50. */
const LIST: Lines = {
  total: 100,
  columns: 1,
  lineHeight: 10,
  height: 50,
  overscan: 2,
  sideways: false,
  overlap: 1,
  margin: 0,
};

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
    expect([list.firstLine, list.first, list.last, list.count]).toEqual([0, 0, 9, 10]);
    scrollTo(300);
    expect([list.firstLine, list.first, list.last, list.count]).toEqual([28, 28, 37, 10]);
    expect([27, 28, 37, 38].map((index) => list.isRendered(index))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('stop at the end of the list', () => {
    const { list, scrollTo } = windowOf();
    scrollTo(950);
    expect([list.first, list.last]).toEqual([90, 99]);
  });

  it('hold several items each, and the last line fewer', () => {
    const { list, scrollTo } = windowOf({ total: 41, columns: 4, overscan: 0 });
    expect([list.fullHeight, list.count, list.first, list.last]).toEqual([110, 6, 0, 23]);
    scrollTo(60);
    expect([list.firstLine, list.first, list.last]).toEqual([5, 20, 40]);
    expect([list.topOf(3), list.topOf(4), list.topOf(40)]).toEqual([0, 10, 100]);
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
    const { list, scroller, scrollTo } = windowOf({ margin: 4 });
    scrollTo(100);
    list.reveal(12);
    expect(scroller.scrollTop).toBe(100);
    list.reveal(7);
    expect([scroller.scrollTop, list.scrollTop]).toEqual([70, 70]);
    list.reveal(12);
    expect([scroller.scrollTop, list.scrollTop]).toEqual([84, 84]);
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

  it('move between lines and within one where items are side by side', () => {
    const { press } = windowOf({ columns: 4, sideways: true });
    const moves = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'PageDown'];
    expect(moves.map((key) => press(key, 10).index)).toEqual([11, 9, 14, 6, 26]);
    expect(press('ArrowDown', -1).index).toBe(0);
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
