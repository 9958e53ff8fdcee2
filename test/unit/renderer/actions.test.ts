import { describe, expect, it } from 'vitest';
import { keysShown } from '../../../src/renderer/actions/action.ts';
import { ALL_ACTIONS } from '../../../src/renderer/actions/all-actions.ts';
import { answers } from '../../../src/renderer/frame/palette-entries.ts';
import { enActions } from '../../../src/renderer/texts/en-actions.ts';

it('every name of an action has exactly one action', () => {
  const names = ALL_ACTIONS.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(enActions.does).toSorted());
});

describe('the palette', () => {
  const entry = { title: 'Pause everything', group: 'Queue' };

  it.each(['', 'pause', 'p e', 'EV', 'queue pau'])('answers “%s”', (search) => {
    expect(answers(entry, search)).toBe(true);
  });

  it.each(['ause', 'pause now', 'x'])('does not answer “%s”', (search) => {
    expect(answers(entry, search)).toBe(false);
  });
});

it.each([
  ['mod+k', true, ['⌘', 'K']],
  ['mod+k', false, ['Ctrl', 'K']],
  ['alt+arrowup', false, ['Alt', '↑']],
  ['+', false, ['+']],
  ['?', false, ['?']],
])('%s is printed as on the keyboard', (stroke, onMac, keys) => {
  expect(keysShown(stroke, onMac)).toEqual(keys);
});
