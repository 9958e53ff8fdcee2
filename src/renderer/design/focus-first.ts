import { tabbable } from 'tabbable';

/** Not what has the focus only to be scrolled by keys. */
const CONTROLS = 'input, textarea, select, button, a, video';

/**
 * Focuses the first control of a dialog, or the dialog, as soon as it is there. bits-ui would wait
 * for the next frame, and drop the keys that are typed until then.
 */
export function focusFirst(opening: Event, dialog: HTMLElement | null): void {
  opening.preventDefault();
  if (dialog === null) return;
  const control = tabbable(dialog).find((element) => element.matches(CONTROLS));
  (control ?? dialog).focus({ preventScroll: true });
}
