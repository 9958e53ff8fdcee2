import type { AppState } from '../state/app-state.svelte.ts';
import type { ActionName } from '../texts/en-actions.ts';

/** Groups of actions, in the order in which menus and lists show them. */
export const ACTION_GROUPS = ['go', 'queue', 'rows', 'order', 'page'] as const;

export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** Something the user can do. Menus, keys, the palette and the list of keys are made of these. */
export interface Action {
  readonly name: ActionName;
  readonly group: ActionGroup;
  /** As `strokeOf` writes them; the first one is shown. */
  readonly keys?: readonly string[];
  readonly danger?: true;
  /** In place of its name, where that would not say enough; `null` where it does. */
  readonly label?: (app: AppState) => string | null;
  /** Whether it makes sense where things stand now. */
  readonly possible: (app: AppState) => boolean;
  /** Reports its own outcome, so that callers need not wait for what it returns. */
  readonly run: (app: AppState) => unknown;
}

/**
 * A key with its modifiers: "mod+k", "alt+arrowup", "?", "delete". Ctrl and ⌘ are both "mod"; shift
 * is not named, since a sign that needs it has it in itself.
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
 * A stroke's keys as they are printed on a keyboard.
 * @param names of keys in the user's language
 */
export function keysShown(
  stroke: string,
  names: Readonly<Record<string, string>>,
  onMac: boolean,
): readonly string[] {
  const signs = { ...names, ...ARROWS, ...(onMac ? MAC_MODIFIERS : {}) };
  return stroke.split(/\+(?=.)/).map((key) => signs[key] ?? key.toUpperCase());
}
