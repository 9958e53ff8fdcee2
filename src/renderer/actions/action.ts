import type { AppState } from '../state/app-state.svelte.ts';
import type { ActionName } from '../texts/actions.ts';

/** Groups of actions, in the order in which menus and lists show them. */
export const ACTION_GROUPS = ['go', 'queue', 'rows', 'order', 'page'] as const;

export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** Something the user can do. Menus, shortcuts, the palette and the list of keys show these. */
export interface Action {
  readonly name: ActionName;
  readonly group: ActionGroup;
  /** In the format of `strokeOf`; the first one is shown. */
  readonly keys?: readonly string[];
  readonly danger?: true;
  /** A more specific text than that of its name; `null` for the name's. */
  readonly label?: (app: AppState) => string | null;
  /** Whether it applies in the current state of the app. */
  readonly possible: (app: AppState) => boolean;
  /** Reports its result itself: callers need not wait for it. */
  readonly run: (app: AppState) => unknown;
}

/**
 * A key with its modifiers: "mod+k", "alt+arrowup", "?", "delete". Ctrl and ⌘ are both "mod". Shift
 * is left out, since a character that needs it implies it.
 */
export function strokeOf(event: KeyboardEvent): string {
  return [
    event.ctrlKey || event.metaKey ? 'mod+' : '',
    event.altKey ? 'alt+' : '',
    event.key.toLowerCase(),
  ].join('');
}

const ARROWS: Readonly<Record<string, string>> = { arrowup: '↑', arrowdown: '↓' };

const MAC_MODIFIERS: Readonly<Record<string, string>> = { mod: '⌘', alt: '⌥', shift: '⇧' };

/**
 * A shortcut's keys as they are printed on a keyboard.
 * @param names of keys in the user's language
 */
export function keysShown(
  stroke: string,
  names: Readonly<Record<string, string>>,
  onMac: boolean,
): readonly string[] {
  const labels = { ...names, ...ARROWS, ...(onMac ? MAC_MODIFIERS : {}) };
  return stroke.split(/\+(?=.)/).map((key) => labels[key] ?? key.toUpperCase());
}
