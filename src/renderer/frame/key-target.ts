import { tabbable } from 'tabbable';
import { ALL_ACTIONS } from '../actions/all-actions.ts';
import { strokeOf } from '../actions/action.ts';
import type { KeyTarget } from '../state/key-queue.ts';

const SHORTCUTS: ReadonlySet<string> = new Set(ALL_ACTIONS.flatMap(({ keys = [] }) => keys));
/** Modifiers, and keys that begin a character without completing it. */
const INCOMPLETE_KEYS: ReadonlySet<string> = new Set([
  'Alt',
  'AltGraph',
  'CapsLock',
  'Control',
  'Dead',
  'Meta',
  'Process',
  'Shift',
  'Unidentified',
]);

const OPEN_DIALOG = '[role="dialog"]:not([data-state="closed"])';

export function isDialogOpen(page: Document): boolean {
  return page.querySelector(OPEN_DIALOG) !== null;
}

/** Replays keys on a page's focused element, with the effect of keys pressed there. */
export function keyTargetOf(page: Document): KeyTarget {
  return {
    isDialogOpen: () => isDialogOpen(page),
    canWait(key) {
      if (key.isComposing || INCOMPLETE_KEYS.has(key.key)) return false;
      const isForBrowser = key.ctrlKey || key.metaKey || /^F\d/.test(key.key);
      return !isForBrowser || SHORTCUTS.has(strokeOf(key));
    },
    // All effects of a key that need no request are done by the next task.
    settled: () => new Promise((resolve) => setTimeout(resolve)),
    replay(key) {
      const target = page.activeElement ?? page.body;
      if (target.dispatchEvent(new KeyboardEvent('keydown', key))) doDefault(key, target);
    },
  };
}

/** The browser's default action, which it takes only for keys that a person pressed. */
function doDefault(key: KeyboardEvent, target: Element): void {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (key.key === 'Tab') moveFocus(target, key.shiftKey ? -1 : 1);
  else if (isField && takesText(target)) {
    if (key.key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit();
    else if (!key.shiftKey && moveCaret(key.key, target)) return;
    else editText(key.key, target);
  } else if (target instanceof HTMLElement && (key.key === 'Enter' || key.key === ' ')) {
    target.click();
  }
}

function moveFocus(from: Element, by: 1 | -1): void {
  const stops = tabbable(from.closest(OPEN_DIALOG) ?? from.ownerDocument.body);
  stops[(stops.indexOf(from as HTMLElement) + by + stops.length) % stops.length]?.focus();
}

function takesText(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  // Other types of fields have no selection.
  return field.selectionStart !== null && !field.readOnly && !field.disabled;
}

/** Without Shift, which would select. @returns false for a key that does not move the caret */
function moveCaret(key: string, field: HTMLInputElement | HTMLTextAreaElement): boolean {
  const { value, selectionStart: start, selectionEnd: end } = field;
  if (start === null || end === null) return false;
  const isCaret = start === end;
  const lineEnd = value.indexOf('\n', end);
  const places: Readonly<Record<string, number | undefined>> = {
    ArrowLeft: isCaret ? Math.max(0, start - 1) : start,
    ArrowRight: isCaret ? Math.min(value.length, end + 1) : end,
    Home: value.slice(0, start).lastIndexOf('\n') + 1,
    End: lineEnd === -1 ? value.length : lineEnd,
  };
  const place = places[key];
  if (place !== undefined) field.setSelectionRange(place, place);
  return place !== undefined;
}

function editText(key: string, field: HTMLInputElement | HTMLTextAreaElement): void {
  const { selectionStart: start, selectionEnd: end } = field;
  if (start === null || end === null) return;
  const removed = start === end && key === 'Backspace' ? 1 : 0;
  const ahead = start === end && key === 'Delete' ? 1 : 0;
  const text = key === 'Enter' ? '\n' : key.length === 1 ? key : '';
  if (text === '' && key !== 'Backspace' && key !== 'Delete') return;
  const isFull = field.maxLength >= 0 && field.value.length - (end - start) >= field.maxLength;
  if (text !== '' && isFull) return;
  field.setRangeText(text, Math.max(0, start - removed), end + ahead, 'end');
  field.dispatchEvent(
    new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }),
  );
}
