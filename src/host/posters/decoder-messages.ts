import { z } from 'zod';
import { SENT_FORMATS } from '../../engine/pictures/picture-format.ts';

/** How a picture is converted. */
const pictureFitSchema = z.object({
  maxSide: z.int().positive(),
  maxBytes: z.int().positive(),
  format: z.enum(SENT_FORMATS),
});

/** The processes exchange bytes as they are; `Buffer` arrives as `Uint8Array`. */
const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A request to the decoder program: a poster of the video at an absolute path, or a picture converted. */
export const decoderRequestSchema = z.union([
  z.object({ video: z.string() }),
  z.object({ picture: bytesSchema, fit: pictureFitSchema }),
]);

export type DecoderRequest = z.infer<typeof decoderRequestSchema>;

/** Enough for a picture as large as any, and for a poster, which is at most 640 pixels wide or high. */
const MAX_IMAGE_BYTES = 40 * 1024 * 1024;

/**
 * Messages of the decoder program about a request: `begun`, then one of the others. The program
 * handles hostile bytes, so the host parses its messages like a network response.
 */
export const decoderMessageSchema = z.discriminatedUnion('kind', [
  /** If the process exits after this message, the file is the cause. */
  z.object({ kind: z.literal('begun') }),
  /** A JPEG as a poster, or the converted picture. */
  z.object({
    kind: z.literal('made'),
    image: bytesSchema.refine(({ length }) => length <= MAX_IMAGE_BYTES),
  }),
  /** The file is readable, but nothing can be made of it. */
  z.object({ kind: z.literal('impossible') }),
]);

export type DecoderMessage = z.infer<typeof decoderMessageSchema>;
