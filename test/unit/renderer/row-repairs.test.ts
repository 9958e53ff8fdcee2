import { describe, expect, it } from 'vitest';
import { RowRepairs } from '../../../src/renderer/state/row-repairs.svelte.ts';

const ACCENT = { row: 3, column: 'Accent' };

describe('corrections of a batch', () => {
  it('are sent by row and column, and rows that are left out by number', () => {
    const repairs = new RowRepairs();
    expect(repairs.options).toEqual({});
    repairs.set([3, 7], 'Accent', '#2a6f97');
    repairs.set([3], 'Title', 'Plum');
    repairs.leaveRowsOut([9, 4]);
    expect(repairs.options).toEqual({
      edits: { 3: { Accent: '#2a6f97', Title: 'Plum' }, 7: { Accent: '#2a6f97' } },
      leaveOut: [4, 9],
    });
  });

  it('are undone step by step', () => {
    const repairs = new RowRepairs();
    repairs.set([3, 7], 'Accent', '#2a6f97');
    repairs.leaveRowsOut([4]);
    repairs.undo();
    expect(repairs.options).toEqual({
      edits: { 3: { Accent: '#2a6f97' }, 7: { Accent: '#2a6f97' } },
    });
    repairs.undo();
    expect(repairs.options).toEqual({});
    expect(repairs.canUndo).toBe(false);
    repairs.undo();
    expect(repairs.options).toEqual({});
  });

  it('undo what was typed into one cell at once', () => {
    const repairs = new RowRepairs();
    for (const text of ['#', '#2', '#2a']) repairs.type(ACCENT, text, 'blau');
    repairs.type({ row: 3, column: 'Title' }, 'P', '');
    repairs.undo();
    expect(repairs.textOf(ACCENT)).toBe('#2a');
    repairs.undo();
    expect(repairs.textOf(ACCENT)).toBeUndefined();
  });

  it('begin a new step when the user returns to a cell', () => {
    const repairs = new RowRepairs();
    repairs.type(ACCENT, 'a', 'blau');
    repairs.set([8], 'Accent', 'b');
    repairs.type(ACCENT, 'ac', 'a');
    repairs.undo();
    expect(repairs.textOf(ACCENT)).toBe('a');
  });

  it('know the text of the file until they are undone', () => {
    const repairs = new RowRepairs();
    repairs.type(ACCENT, '#', 'blau');
    repairs.type(ACCENT, '#2', '#');
    expect(repairs.before(ACCENT)).toBe('blau');
    repairs.undo();
    expect(repairs.before(ACCENT)).toBeUndefined();
  });

  it('take rows back in', () => {
    const repairs = new RowRepairs();
    repairs.leaveRowsOut([4, 9]);
    repairs.leaveRowsOut([4, 5]);
    repairs.takeBackIn([4, 9]);
    expect(repairs.options).toEqual({ leaveOut: [5] });
  });
});
