/** A text of a video that would be hard to read. */
import { z } from 'zod';

export const textFaultSchema = z.object({
  /** As the storyboard has it. */
  text: z.string(),
  /** Smaller than a phone shows readably, or a word broken where no syllable ends. */
  kind: z.enum(['too-long', 'broken-word']),
  /** About as many characters would be large enough. */
  fits: z.int(),
});
export type TextFault = z.infer<typeof textFaultSchema>;
