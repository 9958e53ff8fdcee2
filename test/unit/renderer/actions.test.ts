import { describe, expect, it } from 'vitest';
import { keysShown } from '../../../src/renderer/actions/action.ts';
import { ALL_ACTIONS } from '../../../src/renderer/actions/all-actions.ts';
import { matches } from '../../../src/renderer/frame/palette-entries.ts';
import { deActions } from '../../../src/renderer/texts/de-actions.ts';
import { enActions } from '../../../src/renderer/texts/en-actions.ts';

it('each action name belongs to exactly one action', () => {
  const names = ALL_ACTIONS.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(enActions.does).toSorted());
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
      keysShown(stroke, enActions.keyNames, false),
      keysShown(stroke, enActions.keyNames, true),
      keysShown(stroke, deActions.keyNames, false),
    ]).toEqual([english, onMac, german]);
  });
});
