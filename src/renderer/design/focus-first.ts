import { tabbable } from 'tabbable';

/** Without elements that take the focus only to be scrolled by keys. */
const CONTROLS = 'input, textarea, select, button, a, video';

/**
 * Focuses the first control of a dialog, or the dialog, as soon as it opens. bits-ui would wait for
 * the next frame, and keys typed until then would be lost.
 */
export function focusFirst(opening: Event, dialog: HTMLElement | null): void {
  opening.preventDefault();
  if (dialog === null) return;
  const control = tabbable(dialog).find((element) => element.matches(CONTROLS));
  (control ?? dialog).focus({ preventScroll: true });
}
