import type { FileFault, PlannedRename } from '../../contract/files.ts';
import { formatIn } from '../../contract/format-in.ts';

const say = formatIn('en-GB');

const files = (count: number): string => (count === 1 ? '1 file' : say`${count} files`);

/** Texts of the view of saved files. */
export const enSaved = {
  columns: {
    picture: 'Picture',
    title: 'Title',
    file: 'File',
    length: 'Length',
    size: 'Size',
    saved: 'Saved',
  },
  table: 'Saved videos',
  layout: 'Layout',
  layouts: { grid: 'Grid', list: 'List' },
  gone: 'Missing or damaged',
  noneGone: 'No missing or damaged files',
  noneGoneSentence:
    'Spool checks from time to time that the files exist. “Verify all” reads each one completely.',
  menuOf: (title: string) => `Actions for ${title}`,
  checkAll: 'Verify all',
  checking: 'Verifying files',
  checked: (checked: string, total: string) => `${checked} of ${total} files`,
  stopChecking: 'Stop',
  whole: (count: number, recovered: number) =>
    recovered === 0
      ? `${files(count)} verified, all intact`
      : say`${files(count)} verified, all intact; ${recovered} had been missing`,
  faulty: (count: number, checked: number) =>
    say`${count} of ${files(checked)} ${count === 1 ? 'is' : 'are'} missing or damaged`,
  found: {
    missing: (title: string) => `${title} is missing. Downloading it again is free.`,
    damaged: (title: string) => `${title} is damaged. Downloading it again is free.`,
    unreadable: (title: string) => `${title} could not be read. Its drive may be disconnected.`,
  } satisfies Record<FileFault['found'], (title: string) => string>,
  rename: {
    open: 'Rename',
    title: (count: number) => `Rename ${files(count)}`,
    sentence: 'Files stay in the folder of their batch. None replaces another.',
    template: 'Names',
    templateHint: 'Write columns in braces. A slash creates a folder.',
    empty: 'A name, or a column in braces',
    unknown: (names: string) => `There is no column called ${names}. It is left empty.`,
    insert: 'Insert a column',
    preview: 'Old and new names',
    reading: 'Preparing names…',
    counts: {
      renamed: (count: number) => (count === 1 ? '1 new name' : say`${count} new names`),
      numbered: (count: number) => say`${count} with a number, because the name is in use`,
      unchanged: (count: number) => say`${count} unchanged`,
      kept: (count: number) => say`${count} cannot be renamed`,
    } satisfies Record<PlannedRename['outcome'], (count: number) => string>,
    numbered: 'name in use, number added',
    unchanged: 'unchanged',
    more: (count: number) => say`and ${count} more`,
    apply: (count: number) => (count === 0 ? 'Rename' : `Rename ${files(count)}`),
    busy: 'Renaming…',
    done: (count: number) => `${files(count)} renamed`,
    partly: (renamed: number, kept: number) =>
      say`${files(renamed)} renamed, ${kept} ${kept === 1 ? 'keeps its name' : 'keep their names'}`,
    partlyMeans: 'No file was lost. The reason is shown for each.',
    kept: 'Files that keep their names',
  },
};
