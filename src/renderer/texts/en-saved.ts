import type { FileFault } from '../../contract/files.ts';

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

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
      : `${files(count)} verified, all whole; ${recovered} had been missing`,
  faulty: (count: number, checked: number) =>
    `${count} of ${files(checked)} ${count === 1 ? 'is' : 'are'} not as saved`,
  found: {
    missing: (title: string) =>
      `${title} is not where it was saved. Fetching it again costs no quota.`,
    damaged: (title: string) => `${title} is damaged. Fetching it again costs no quota.`,
    unreadable: (title: string) => `${title} could not be read; its drive may be away.`,
  } satisfies Record<FileFault['found'], (title: string) => string>,
};
