import { z } from 'zod';
import { requestTemplateSchema } from '../intake/request-template.ts';
import { answerRulesSchema } from '../../contract/answer-rules.ts';
import { serviceApiSchema } from '../../contract/service-profile.ts';
import { visible } from '../../contract/visible-text.ts';

/**
 * Everything about a service that the API leaves undocumented (`profiles.md`): what a request to
 * make a video has in it, and how answers are read. Plain data that can be written to a file,
 * shared and edited.
 */
export const profileSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine(...visible),
  /** Its endpoints and limits; the documented API when left out. */
  api: serviceApiSchema.optional(),
  request: requestTemplateSchema,
  answers: answerRulesSchema,
});

export type Profile = z.infer<typeof profileSchema>;
