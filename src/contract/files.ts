import { z } from 'zod';

/** A saved file that is not, or may not be, as it was saved. */
export const fileFaultSchema = z.object({
  /** The job's. */
  id: z.string(),
  title: z.string(),
  path: z.string(),
  /** `unreadable`: the disk would not say (a drive that is away); its row stays as it was. */
  found: z.enum(['missing', 'damaged', 'unreadable']),
  /** One sentence in a creator's words. */
  why: z.string(),
});

export type FileFault = z.infer<typeof fileFaultSchema>;

/** How far a verification is. It has ended well when all files are checked. */
export const verificationSchema = z.object({
  checkedFiles: z.int().nonnegative(),
  totalFiles: z.int().nonnegative(),
  checkedBytes: z.number().nonnegative(),
  totalBytes: z.number().nonnegative(),
  /** What was found since the update before. */
  faults: z.array(fileFaultSchema),
  /** Files, in all, that had been missing or damaged and are whole again. */
  recovered: z.int().nonnegative(),
});

export type Verification = z.infer<typeof verificationSchema>;
