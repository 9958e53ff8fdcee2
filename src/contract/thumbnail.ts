/** Small copies of pictures, for lists. */
import { z } from 'zod';

/** A picture of a planned row, by the hash of its bytes. */
export const pictureReferenceSchema = z.string().regex(/^sha256:[\da-f]{64}$/);

/** Characters in base64. */
const MAX_LENGTH = 64 * 1024;

export const thumbnailSchema = z.discriminatedUnion('kind', [
  /** In base64, for a `data:` address. */
  z.object({ kind: z.literal('made'), webp: z.base64().min(1).max(MAX_LENGTH) }),
  /** The file is gone, has changed since the plan, or cannot be decoded. */
  z.object({ kind: z.literal('none') }),
]);

export type Thumbnail = z.infer<typeof thumbnailSchema>;
