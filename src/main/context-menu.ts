import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { Texts } from './texts.ts';

export interface ContextMenuActions {
  readonly replaceMisspelling: (word: string) => void;
  readonly addToDictionary: (word: string) => void;
}

/**
 * The context menu where the page shows none: in fields the editing commands, with spelling
 * suggestions first; elsewhere "Copy" for a selection; otherwise empty.
 */
export function contextMenu(
  {
    isEditable,
    selectionText,
    editFlags,
    misspelledWord,
    dictionarySuggestions,
  }: Pick<
    ContextMenuParams,
    'isEditable' | 'selectionText' | 'editFlags' | 'misspelledWord' | 'dictionarySuggestions'
  >,
  { roles, noSuggestions, addToDictionary }: Texts,
  actions: ContextMenuActions,
): MenuItemConstructorOptions[] {
  const role = (name: EditRole): MenuItemConstructorOptions => ({
    role: name,
    label: roles[name],
    enabled: editFlags[FLAGS[name]],
  });
  if (!isEditable) return selectionText.trim() === '' ? [] : [role('copy')];
  const spellings = dictionarySuggestions.map((word) => ({
    label: word,
    click: () => actions.replaceMisspelling(word),
  }));
  const spelling: MenuItemConstructorOptions[] =
    misspelledWord === ''
      ? []
      : [
          ...(spellings.length > 0 ? spellings : [{ label: noSuggestions, enabled: false }]),
          { label: addToDictionary, click: () => actions.addToDictionary(misspelledWord) },
          { type: 'separator' },
        ];
  return [
    ...spelling,
    ...(['undo', 'redo'] as const).map(role),
    { type: 'separator' },
    ...(['cut', 'copy', 'paste', 'selectAll'] as const).map(role),
  ];
}

const FLAGS = {
  undo: 'canUndo',
  redo: 'canRedo',
  cut: 'canCut',
  copy: 'canCopy',
  paste: 'canPaste',
  selectAll: 'canSelectAll',
} as const;

type EditRole = keyof typeof FLAGS;
