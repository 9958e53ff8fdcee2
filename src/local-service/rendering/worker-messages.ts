import { z } from 'zod';
import { textIssueSchema } from './text-issue.ts';
import type { Storyboard } from './storyboard.ts';

/** An order to render one video. */
export interface RenderOrder {
  storyboard: Storyboard;
  videoPath: string;
  posterPath: string;
  /** The file of each uploaded image that the storyboard names. */
  imageFiles: Readonly<Record<string, string>>;
  /** Memory limit of the worker's process, in bytes. Threads ignore it. */
  memoryBytes: number;
}

/** An order to draw a video's poster. */
export interface DrawOrder {
  storyboard: Storyboard;
  /** The file of each uploaded image that the storyboard names. */
  imageFiles: Readonly<Record<string, string>>;
  /** Memory limit of the worker's process, in bytes. Threads ignore it. */
  memoryBytes: number;
}

/** An order to find the characters of texts that cannot be drawn. */
export interface GlyphOrder {
  texts: readonly string[];
  /** Memory limit of the worker's process, in bytes. Threads ignore it. */
  memoryBytes: number;
}

/** An order to find texts of videos that would be too small or badly broken. */
export interface LayoutOrder {
  storyboards: readonly Storyboard[];
  /** Memory limit of the worker's process, in bytes. Threads ignore it. */
  memoryBytes: number;
}

/** Maximum number of base64 characters of a frame; one of 480 lines has about a tenth. */
const MAX_JPEG_LENGTH = 1024 * 1024;

const renderResult = z.object({
  durationSeconds: z.number(),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
});
export type RenderResult = z.infer<typeof renderResult>;

/** An order to a worker, which executes one after another. */
export type WorkerOrder =
  | { kind: 'render'; order: RenderOrder }
  | { kind: 'draw'; order: DrawOrder }
  | { kind: 'find-undrawable'; order: GlyphOrder }
  | { kind: 'check-layouts'; order: LayoutOrder };

/** Messages from the pool to a worker. */
export type ToWorker = WorkerOrder | { kind: 'cancel' };

/**
 * Messages from a worker to the pool. `ready` comes first, once all modules are loaded. After
 * `done`, `drawn`, `found`, `checked` or `failed` the worker is idle, except after `over-memory`: it must be killed.
 *
 * A worker decodes untrusted images, so its messages are parsed.
 */
const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('progress'), framesDone: z.int(), framesTotal: z.int() }),
  z.object({ kind: z.literal('done'), result: renderResult }),
  z.object({ kind: z.literal('drawn'), jpeg: z.base64().min(1).max(MAX_JPEG_LENGTH) }),
  z.object({ kind: z.literal('found'), characters: z.array(z.string()) }),
  z.object({ kind: z.literal('checked'), issues: z.array(z.array(textIssueSchema)) }),
  z.object({
    kind: z.literal('failed'),
    failure: z.discriminatedUnion('code', [
      z.object({ code: z.literal('cancelled') }),
      z.object({
        code: z.literal('image-unreadable'),
        of: z.string().max(100),
        reason: z.string().max(300).optional(),
      }),
      z.object({ code: z.literal('over-memory') }),
      z.object({ code: z.literal('outage'), outage: z.enum(['disk-full', 'files-unusable']) }),
      z.object({ code: z.literal('failed'), reason: z.string() }),
    ]),
  }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

/** `undefined` for an invalid message, which only a compromised process sends. */
export function messageFromWorker(raw: unknown): FromWorker | undefined {
  try {
    return fromWorker.safeParse(raw).data;
  } catch {
    // Zod 4.6 compares the `length` of any value that has one, and throws if it is not a number.
    return undefined;
  }
}

export type WorkerFailure = Extract<FromWorker, { kind: 'failed' }>['failure'];
/** The result of an order that did not fail. */
export type WorkerResult = Extract<FromWorker, { kind: 'done' | 'drawn' | 'found' | 'checked' }>;
