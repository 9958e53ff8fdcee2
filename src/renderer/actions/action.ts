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
  /** Whether it makes sense where things stand now. */
  readonly possible: (app: AppState) => boolean;
  /** Tells its own outcome, so that nobody need wait for what it returns. */
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

const SIGNS: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  enter: 'Enter',
  escape: 'Esc',
  delete: 'Del',
  home: 'Home',
  end: 'End',
  f2: 'F2',
  alt: 'Alt',
};

/** A stroke's keys as they are printed on a keyboard. */
export function keysShown(stroke: string, onMac: boolean): readonly string[] {
  return stroke
    .split(/\+(?=.)/)
    .map((key) =>
      key === 'mod'
        ? onMac
          ? '⌘'
          : 'Ctrl'
        : (SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
    );
}
