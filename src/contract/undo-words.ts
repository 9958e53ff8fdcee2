/**
 * The commands that can be undone, and what each did in words: for toasts, the history of the
 * session and the command line. No schema library is imported, so that a page can use it.
 */
import { englishFiles, englishVideos, germanFiles, germanVideos } from './counted.ts';
import type { Translation } from './in-language.ts';
import { JOB_COMMAND_NAMES, JOB_COMMANDS, type JobCommandName } from './job-commands.ts';

type Did = Translation<(count: number) => string>;

/** Commands that take more than jobs, and so are not in `JOB_COMMANDS`. */
const OTHERS = {
  move: {
    en: (count) => `${englishVideos(count)} moved`,
    de: (count) => `${germanVideos(count)} verschoben`,
  },
  prioritise: {
    en: (count) => `Priority of ${englishVideos(count)} changed`,
    de: (count) => `Priorität von ${germanVideos(count)} geändert`,
  },
  edit: {
    en: (count) => `${englishVideos(count)} changed`,
    de: (count) => `${germanVideos(count)} geändert`,
  },
  rename: {
    en: (count) => `${englishFiles(count)} renamed`,
    de: (count) => `${germanFiles(count)} umbenannt`,
  },
} as const satisfies Readonly<Record<string, Did>>;

/** Stored in databases: do not rename them. */
export type UndoCommand =
  | {
      [Name in JobCommandName]: (typeof JOB_COMMANDS)[Name] extends { undo: true } ? Name : never;
    }[JobCommandName]
  | keyof typeof OTHERS;

export const UNDO_WORDS = {
  ...Object.fromEntries(
    JOB_COMMAND_NAMES.filter((name) => JOB_COMMANDS[name].undo).map((name) => [
      name,
      JOB_COMMANDS[name].did,
    ]),
  ),
  ...OTHERS,
} as Readonly<Record<UndoCommand, Did>>;

export const UNDO_COMMANDS = Object.keys(UNDO_WORDS) as UndoCommand[];
