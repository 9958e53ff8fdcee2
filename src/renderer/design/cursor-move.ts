/** How a row or card gets the cursor: alone, with all up to it, or added to or removed from the selection. */
export type CursorMove = 'move' | 'extend' | 'toggle';

/** What a press with these modifiers means. */
export function cursorMoveOf(press: MouseEvent): CursorMove {
  if (press.shiftKey) return 'extend';
  return press.ctrlKey || press.metaKey ? 'toggle' : 'move';
}
