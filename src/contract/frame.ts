import { z } from 'zod';

/** Characters of a frame in base64. The service draws it at 480 lines, in a tenth of this. */
export const MAX_FRAME_LENGTH = 1024 * 1024;

/** One frame of a video before it is rendered, or why there is none. */
export const frameSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('drawn'),
    /** In base64, for a `data:` address. */
    jpeg: z.base64().min(1).max(MAX_FRAME_LENGTH),
    /** Of the video, in pixels. */
    width: z.int().positive().max(10_000),
    height: z.int().positive().max(10_000),
    /** Of the whole video. */
    seconds: z.number().positive().max(100_000),
  }),
  /** The service would not render this request; in its own words. */
  z.object({ kind: z.literal('refused'), detail: z.string().max(500) }),
  /** For now: the service is busy, slow or stopped. */
  z.object({ kind: z.literal('unavailable') }),
  /** The service is not on this computer. */
  z.object({ kind: z.literal('elsewhere') }),
]);

export type Frame = z.infer<typeof frameSchema>;
