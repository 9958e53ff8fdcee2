import type { AppState } from '../state/app-state.svelte.ts';
import type { ActionName } from '../texts/actions.ts';
import { strokeOf, type Action } from './action.ts';
import { PAGE_ACTIONS } from './page-actions.ts';
import { ROW_ACTIONS } from './row-actions.ts';

/** Everything the user can do. Of several with the same key, the first possible one runs. */
export const ALL_ACTIONS: readonly Action[] = [...PAGE_ACTIONS, ...ROW_ACTIONS];

/**
 * Runs the action of a key. In a field, only a few keys are shortcuts. In a view that is a form, no
 * single letter or digit is one, wherever the focus is.
 *
 * @returns whether the key has an action
 */
export function runShortcut(event: KeyboardEvent, app: AppState): boolean {
  const stroke = strokeOf(event);
  const isText = isTyping(event.target) || (app.expectsText && stroke.length === 1);
  if (isText && !WHILE_TYPING.has(stroke)) return false;
  const action = ALL_ACTIONS.find(
    ({ name, keys, possible }) =>
      keys?.includes(stroke) && possible(app) && !(isText && name === 'undo'),
  );
  if (action === undefined) return false;
  if (!event.repeat || WHILE_HELD.has(action.name)) void action.run(app);
  return true;
}

/** Actions that run repeatedly while their key is held down. Others may run their opposite then. */
const WHILE_HELD: ReadonlySet<ActionName> = new Set(['up', 'down'] as const);

/** In a field, Ctrl+Z is the field's own, except where cells are corrected. */
const WHILE_TYPING = new Set(['mod+k', 'mod+n', 'mod+f', 'mod+z', 'f8']);

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input:not([type="radio"], [type="checkbox"]), textarea, select, form, [role="menu"]',
    ) !== null
  );
}
