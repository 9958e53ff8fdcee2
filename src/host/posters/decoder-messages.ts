import { z } from 'zod';

/** A request to the decoder program: a poster of the video at an absolute path. */
export const decoderRequestSchema = z.object({ video: z.string() });

export type DecoderRequest = z.infer<typeof decoderRequestSchema>;

/** Enough for a poster, which is at most 640 pixels wide or high. */
const MAX_POSTER_CHARACTERS = 4 * 1024 * 1024;

/**
 * Messages of the decoder program about a request: `begun`, then one of the others. The program
 * handles hostile bytes, so the host parses its messages like a network response.
 */
export const decoderMessageSchema = z.discriminatedUnion('kind', [
  /** If the process exits after this message, the file is the cause. */
  z.object({ kind: z.literal('begun') }),
  /** `jpeg` is Base64. */
  z.object({ kind: z.literal('made'), jpeg: z.base64().max(MAX_POSTER_CHARACTERS) }),
  /** The file is readable, but no poster can be made of it. */
  z.object({ kind: z.literal('impossible') }),
]);

export type DecoderMessage = z.infer<typeof decoderMessageSchema>;
