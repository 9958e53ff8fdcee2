/** A text or a colour of a video that would be hard to read. */
import { z } from 'zod';

const textSchema = z.object({
  /** As the storyboard has it. */
  text: z.string(),
  /** Smaller than a phone shows readably, or a word broken where no syllable ends. */
  kind: z.enum(['too-long', 'broken-word']),
  /** About as many characters would be large enough. */
  fits: z.int(),
});
const colourSchema = z.object({
  /** A colour of the storyboard's theme, as it is there. */
  text: z.string(),
  /** With its background. */
  kind: z.literal('low-contrast'),
  /** The nearest colour with enough contrast, `#rrggbb`: it is drawn instead. */
  nearest: z.string(),
});
export const textIssueSchema = z.union([textSchema, colourSchema]);
export type TextIssue = z.infer<typeof textIssueSchema>;
export type UnfitText = z.infer<typeof textSchema>;
export type PaleColour = z.infer<typeof colourSchema>;
