import { z } from 'zod';
import { batchFileSchema } from './batch.ts';
import { failureSchema } from './failure.ts';

/**
 * What the computer that runs the engine can do for the person before the page. The window can do
 * all of it, a browser's page less, and a computer without a screen none; a page offers nothing
 * that is not here.
 */
export const abilitiesSchema = z.object({
  /** Opens a saved video in the program that plays videos, and folders in the file manager. */
  open: z.boolean(),
  /** Shows a saved file, selected, in the file manager. */
  show: z.boolean(),
  /** Asks for a folder in the system's own dialog. */
  chooseFolder: z.boolean(),
  /** Hands saved files to another program when they are dragged out of the page. */
  dragOut: z.boolean(),
  /** Tells the user of a finished batch by itself, so that the page need not. */
  notify: z.boolean(),
  /** Replaces itself by newer versions, if the settings say so. */
  update: z.boolean(),
});

export type Abilities = z.infer<typeof abilitiesSchema>;

/** What is known of a newer version of the app that runs. */
export const appUpdateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('downloading'), version: z.string() }),
  z.object({
    state: z.literal('ready'),
    version: z.string(),
    /** It is not put in place, not even at quitting, as long as a batch is under way. */
    waits: z.boolean(),
  }),
]);

export type AppUpdate = z.infer<typeof appUpdateSchema>;

/** In the order in which the page itself has them, so that one number opens the same everywhere. */
export const PAGES = ['queue', 'timeline', 'saved', 'activity', 'limits', 'settings'] as const;

/** A file that the system opened with the app: what is in it, or why it cannot be read. */
export const openedFileSchema = z.union([
  // Where it is tells it from others of its name.
  batchFileSchema.extend({ path: z.string() }),
  z.object({ path: z.string(), name: z.string(), failure: failureSchema }),
]);

export type OpenedFile = z.infer<typeof openedFileSchema>;

/** What the user asked the page for from outside: by a menu, a double click, a link, the tray. */
export const pageRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('show'), page: z.enum(PAGES) }),
  /** Begin to add videos, with this file if one was opened; further ones come one by one. */
  z.object({ kind: z.literal('add'), file: openedFileSchema.nullable() }),
  /** Put the cursor where one searches. */
  z.object({ kind: z.literal('find') }),
  /** Say what went wrong, such as a file that cannot be read. */
  z.object({ kind: z.literal('tell'), failure: failureSchema }),
  /** Say that the app ended unexpectedly the last time, and that the queue goes on. */
  z.object({ kind: z.literal('tell-recovered') }),
]);

export type PageRequest = z.infer<typeof pageRequestSchema>;
