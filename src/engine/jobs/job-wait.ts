import { z } from 'zod';
import { jsonColumn } from './stored-values.ts';

/** Why the download of a finished video waits. */
const jobWaitSchema = z.discriminatedUnion('kind', [
  /** @property required bytes that must be free; `null`: the disk has room and refuses to write */
  z.object({ kind: z.literal('no-space'), required: z.number().nullable() }),
  /** @property host the name to look up first; `null` once DNS gave it another address */
  z.object({ kind: z.literal('address-blocked'), host: z.string().nullable() }),
  z.object({
    kind: z.enum([
      'cannot-write',
      'link-limit',
      'no-link',
      'server-busy',
      'unreachable',
      /** The service says so, although it said before that the video was ready. */
      'not-ready',
      /** The service's answer to the request for a link was of no use. */
      'service-error',
      /** The service says that it does not have the video, and has not said so often enough. */
      'not-found',
    ]),
  }),
]);

export type JobWait = Readonly<z.infer<typeof jobWaitSchema>>;

/** A damaged one is none: the job is then tried, as at its first attempt. */
export const storedWait = jsonColumn.pipe(jobWaitSchema).nullable().catch(null);
