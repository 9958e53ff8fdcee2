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

/** Moves the focus into a dialog that opens, and out of one that closes; for `Dialog.Content`. */
export function dialogFocus(dialog: () => HTMLElement | null): DialogFocus {
  return {
    onOpenAutoFocus(opening) {
      focusFirst(opening, dialog());
    },
    onCloseAutoFocus() {
      dropFocus(dialog());
    },
  };
}

interface DialogFocus {
  readonly onOpenAutoFocus: (opening: Event) => void;
  readonly onCloseAutoFocus: () => void;
}

/**
 * Removes the focus from a dialog that closes. bits-ui returns it to the element that had it before.
 * If there was none, a field of the dialog would keep the focus and get the keys until the dialog has
 * been removed from the page.
 */
function dropFocus(dialog: HTMLElement | null): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && dialog?.contains(focused)) focused.blur();
}
