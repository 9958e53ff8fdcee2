import type { FileFault, PlannedRename } from '../../contract/files.ts';
import { sayIn } from '../../contract/say-in.ts';

const say = sayIn('en-GB');

const files = (count: number): string => (count === 1 ? '1 file' : say`${count} files`);

/** What the view of saved files says. */
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
  layouts: { grid: 'Pictures', list: 'List' },
  gone: 'Missing or damaged',
  noneGone: 'Every file is there',
  noneGoneSentence: 'Files are looked for from time to time; “Verify all” reads each of them.',
  menuOf: (title: string) => `What to do with ${title}`,
  checkAll: 'Verify all',
  checking: 'Verifying files',
  checked: (checked: string, total: string) => `${checked} of ${total} files`,
  stopChecking: 'Stop',
  whole: (count: number, recovered: number) =>
    recovered === 0
      ? `${files(count)} verified, all as they were saved`
      : say`${files(count)} verified, all whole; ${recovered} had been missing`,
  faulty: (count: number, checked: number) =>
    say`${count} of ${files(checked)} ${count === 1 ? 'is' : 'are'} not as saved`,
  found: {
    missing: (title: string) =>
      `${title} is not where it was saved. Fetching it again costs no quota.`,
    damaged: (title: string) => `${title} is damaged. Fetching it again costs no quota.`,
    unreadable: (title: string) => `${title} could not be read; its drive may be away.`,
  } satisfies Record<FileFault['found'], (title: string) => string>,
  rename: {
    open: 'Rename',
    title: (count: number) => `Rename ${files(count)}`,
    sentence: 'Files stay in the folder of their batch, and none takes the place of another.',
    template: 'Names',
    templateHint: 'Columns stand in braces. A slash makes a folder.',
    empty: 'A name, or a column in braces',
    unknown: (names: string) => `No column is called ${names}: nothing stands for it.`,
    insert: 'Insert a column',
    preview: 'Old and new names',
    reading: 'Working out the names…',
    counts: {
      renamed: (count: number) => (count === 1 ? '1 new name' : say`${count} new names`),
      numbered: (count: number) => say`${count} with a number, as the name is taken`,
      unchanged: (count: number) => say`${count} as before`,
      kept: (count: number) => say`${count} cannot be renamed`,
    } satisfies Record<PlannedRename['outcome'], (count: number) => string>,
    numbered: 'name taken, numbered',
    unchanged: 'as before',
    more: (count: number) => say`and ${count} more`,
    apply: (count: number) => (count === 0 ? 'Rename' : `Rename ${files(count)}`),
    busy: 'Renaming…',
    done: (count: number) => `${files(count)} renamed`,
    partly: (renamed: number, kept: number) =>
      say`${files(renamed)} renamed, ${kept} ${kept === 1 ? 'keeps its name' : 'keep their names'}`,
    partlyMeans: 'No file was lost. What stood in the way is said for each.',
    kept: 'Files that keep their names',
  },
};
