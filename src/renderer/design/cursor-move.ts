/** Selects a row or card alone, extends the selection up to it, or adds it or removes it. */
export type CursorMove = 'move' | 'extend' | 'toggle';

/** What a press with these modifiers means. */
export function cursorMoveOf(press: MouseEvent): CursorMove {
  if (press.shiftKey) return 'extend';
  return press.ctrlKey || press.metaKey ? 'toggle' : 'move';
}
