import { expect, it } from 'vitest';
import { contextMenu } from '../../../src/main/context-menu.ts';
import { textsFor } from '../../../src/main/texts.ts';

const none = {
  canUndo: false,
  canRedo: false,
  canCut: false,
  canCopy: false,
  canPaste: false,
  canDelete: false,
  canSelectAll: false,
  canEditRichly: false,
};
const nowhere = {
  isEditable: false,
  selectionText: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  editFlags: none,
};

function menu(changes: Partial<Parameters<typeof contextMenu>[0]>, language = 'en') {
  const done: string[] = [];
  const items = contextMenu({ ...nowhere, ...changes }, textsFor(language), {
    replaceMisspelling: (word) => done.push(`replace ${word}`),
    addToDictionary: (word) => done.push(`add ${word}`),
  });
  const labels = items.map(
    ({ label, type, enabled }) => `${type ?? label}${enabled === false ? '?' : ''}`,
  );
  const click = (name: string) =>
    items.find(({ label }) => label === name)?.click?.({} as never, undefined, {});
  return { items, labels, done, click };
}

it('offers the edit commands of a text field', () => {
  const editFlags = { ...none, canPaste: true, canSelectAll: true };
  expect(menu({ isEditable: true, editFlags }).labels).toEqual([
    'Undo?',
    'Redo?',
    'separator',
    'Cut?',
    'Copy?',
    'Paste',
    'Select all',
  ]);
  expect(menu({ isEditable: true, editFlags }, 'de').labels).toContain('Einfügen');
});

it('offers corrections first, and the addition of a word to the dictionary', () => {
  const field = { isEditable: true, misspelledWord: 'vidoe', dictionarySuggestions: ['video'] };
  const { labels, done, click } = menu(field);
  expect(labels.slice(0, 3)).toEqual(['video', 'Add to dictionary', 'separator']);
  click('video');
  click('Add to dictionary');
  expect(done).toEqual(['replace video', 'add vidoe']);
  expect(menu({ ...field, dictionarySuggestions: [] }).labels[0]).toBe('No suggestions?');
});

it('offers to copy a selection elsewhere, and nothing without one', () => {
  const editFlags = { ...none, canCopy: true };
  expect(menu({ selectionText: 'Loss 3', editFlags }).labels).toEqual(['Copy']);
  expect(menu({}).labels).toEqual([]);
});
