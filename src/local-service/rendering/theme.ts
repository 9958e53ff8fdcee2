import type { z } from 'zod';
import { colour, only } from './schema-fields.ts';

/** The colours of a video; a look derives all others from them. */
export const themeSchema = only({
  accent: colour
    .meta({ title: 'Accent colour', description: 'Bars, numbers and marks' })
    .optional(),
  background: colour
    .meta({ title: 'Background colour', description: 'Behind every scene' })
    .optional(),
  text: colour
    .meta({ title: 'Text colour', description: 'Adjusted where it would be unreadable' })
    .optional(),
}).default({});

export type Theme = z.infer<typeof themeSchema>;
