import { describe, expect, it } from 'vitest';
import { JOB_STATES, STATE_GROUPS, type JobState } from '../../../src/contract/job-states.ts';
import { keysShown } from '../../../src/renderer/actions/action.ts';
import { ALL_ACTIONS } from '../../../src/renderer/actions/all-actions.ts';
import type { AppState } from '../../../src/renderer/state/app-state.svelte.ts';
import { matches } from '../../../src/renderer/frame/palette-entries.ts';
import { de } from '../../../src/renderer/texts/de.ts';
import { en } from '../../../src/renderer/texts/en.ts';

it('each action name belongs to exactly one action', () => {
  const names = ALL_ACTIONS.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(en.does).toSorted());
});

it.each([en, de])('no action is called only what a view is called, but for Add', (texts) => {
  const views: readonly string[] = Object.values(texts.views);
  const alike = ALL_ACTIONS.filter(({ name }) => views.includes(texts.does[name]));
  expect(alike.map(({ name }) => name)).toEqual(['add']);
});

describe('the palette', () => {
  const entry = { title: 'Pause everything', group: 'Queue' };

  it.each(['', 'pause', 'p e', 'EV', 'queue pau'])('matches “%s”', (search) => {
    expect(matches(entry, search)).toBe(true);
  });

  it.each(['ause', 'pause now', 'x'])('does not match “%s”', (search) => {
    expect(matches(entry, search)).toBe(false);
  });
});

describe('keys are shown as they are printed on the keyboard', () => {
  it.each([
    ['mod+k', ['Ctrl', 'K'], ['⌘', 'K'], ['Strg', 'K']],
    ['alt+arrowup', ['Alt', '↑'], ['⌥', '↑'], ['Alt', '↑']],
    ['shift+f10', ['Shift', 'F10'], ['⇧', 'F10'], ['Umschalt', 'F10']],
    ['mod+enter', ['Ctrl', 'Enter'], ['⌘', 'Enter'], ['Strg', 'Eingabe']],
    ['delete', ['Del'], ['Del'], ['Entf']],
    ['home', ['Home'], ['Home'], ['Pos1']],
    ['end', ['End'], ['End'], ['Ende']],
    ['escape', ['Esc'], ['Esc'], ['Esc']],
    ['+', ['+'], ['+'], ['+']],
    ['?', ['?'], ['?'], ['?']],
  ])('%s', (stroke, english, onMac, german) => {
    expect([
      keysShown(stroke, en.keyNames, false),
      keysShown(stroke, en.keyNames, true),
      keysShown(stroke, de.keyNames, false),
    ]).toEqual([english, onMac, german]);
  });
});

describe('an action on rows', () => {
  const isPossible = (name: string, states: readonly JobState[]): boolean => {
    const chosen = { ids: states.map(String), states, only: null };
    const app = { chosen, view: 'queue' } as unknown as AppState;
    return ALL_ACTIONS.find((action) => action.name === name)?.possible(app) ?? false;
  };
  const statesOf = (name: string): readonly JobState[] =>
    JOB_STATES.filter((state) => isPossible(name, [state]));

  it('is possible when one of the rows is in a state that it applies to', () => {
    expect(isPossible('hold', ['done', 'queued'])).toBe(true);
    expect(isPossible('hold', ['done', 'held'])).toBe(false);
    expect(isPossible('hold', [])).toBe(false);
  });

  it('cancels videos that are not saved yet, unless it is open whether the service has them', () => {
    const isCancellable = [...STATE_GROUPS.unsent, ...STATE_GROUPS.accepted];
    expect(statesOf('cancel').toSorted()).toEqual(isCancellable.toSorted());
  });
});
