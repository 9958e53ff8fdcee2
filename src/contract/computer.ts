import { z } from 'zod';
import { batchFileSchema } from './batch.ts';
import { failureSchema } from './failure.ts';
import { FILE_KINDS } from './file-kinds.ts';

/**
 * Desktop functions of the page's process. The window supports everything, a browser less, and a
 * computer without a screen nothing; a page offers only those that are true here.
 */
export const abilitiesSchema = z.object({
  /** Opens a saved video in the program that plays videos, and folders in the file manager. */
  open: z.boolean(),
  /** Shows a saved file, selected, in the file manager. */
  show: z.boolean(),
  /** Asks for a folder in the system's own dialog. */
  chooseFolder: z.boolean(),
  /** Asks for a file in the system's own dialog, and knows the paths of files that are dropped. */
  chooseFile: z.boolean(),
  /** Passes saved files to another program when they are dragged out of the page. */
  dragOut: z.boolean(),
  /** Notifies the user of a finished batch, so that the page does not have to. */
  notify: z.boolean(),
  /** Updates itself, if the settings allow it. */
  update: z.boolean(),
  /**
   * Takes files that are dropped or chosen itself, with the folders that they are in. A browser
   * hands a page only their bytes.
   */
  takeFiles: z.boolean(),
  /** Moves saved files to the system's trash. */
  trash: z.boolean(),
});

export type Abilities = z.infer<typeof abilitiesSchema>;

/** The files that a field of a row is to name. */
export const fileQuestionSchema = z.object({
  kind: z.enum(FILE_KINDS),
  /** Whether there may be several. */
  several: z.boolean(),
  /** Absolute path of a folder. */
  startIn: z.string().max(4096).optional(),
});

export type FileQuestion = z.infer<typeof fileQuestionSchema>;

/** What is known about a newer version of the running app. */
export const appUpdateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('downloading'), version: z.string() }),
  z.object({
    state: z.literal('ready'),
    version: z.string(),
    /** Whether an active batch delays its installation, even at quitting. */
    waits: z.boolean(),
  }),
]);

export type AppUpdate = z.infer<typeof appUpdateSchema>;

/** In the page's own order, so that a number opens the same page everywhere. */
export const PAGES = ['queue', 'timeline', 'saved', 'activity', 'limits', 'settings'] as const;

/** A file that the system opened with the app: its content, or why it cannot be read. */
export const openedFileSchema = z.union([
  // The path distinguishes it from other files of its name. Events carry JSON only, hence base64.
  z.object({
    path: z.string(),
    name: batchFileSchema.shape.name,
    folder: batchFileSchema.shape.folder,
    base64: z.base64(),
  }),
  z.object({ path: z.string(), name: z.string(), failure: failureSchema }),
]);

export type OpenedFile = z.infer<typeof openedFileSchema>;

/** Requests to the page from outside: from a menu, a double click, a link, or the tray. */
export const pageRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('show'), page: z.enum(PAGES) }),
  /** Start adding videos, with this file if one was opened; further files follow one by one. */
  z.object({ kind: z.literal('add'), file: openedFileSchema.nullable() }),
  /** Another program saved a file that was opened before: read it again if it is not added yet. */
  z.object({ kind: z.literal('file-changed'), file: openedFileSchema }),
  /** Focus the search field. */
  z.object({ kind: z.literal('find') }),
  /** Show a failure, such as a file that cannot be read. */
  z.object({ kind: z.literal('tell'), failure: failureSchema }),
  /** Report that the app crashed last time, and that the queue has resumed. */
  z.object({ kind: z.literal('tell-recovered') }),
]);

export type PageRequest = z.infer<typeof pageRequestSchema>;
