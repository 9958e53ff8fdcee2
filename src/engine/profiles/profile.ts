import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ProfileView } from '../../contract/profile.ts';
import { requestTemplateSchema } from '../intake/request-template.ts';
import { answerRulesSchema } from '../../contract/answer-rules.ts';
import { serviceApiSchema } from '../../contract/service-profile.ts';
import { issueOf, userMessage } from '../../contract/user-message.ts';
import { visible } from '../../contract/visible-text.ts';

/**
 * The description of a service: its endpoints, if they differ from the documented API, the request
 * for a video, and how responses are read. Plain data that can be saved, shared and edited.
 */
export const profileSchema = z
  .strictObject({
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
  })
  .superRefine(({ api, request }, context) => {
    const { perColumn } = api?.cost.rule ?? {};
    const path = ['api', 'cost', 'rule', 'perColumn'];
    const named = [
      ...(perColumn ? [{ name: perColumn.column, path: [...path, 'column'] }] : []),
      ...(perColumn?.cases ?? []).flatMap(({ when }, index) =>
        when.map(({ column }, place) => ({
          name: column,
          path: [...path, 'cases', index, 'when', place, 'column'],
        })),
      ),
    ];
    for (const { name, path: at } of named) {
      if (Object.hasOwn(request.columns, name)) continue;
      const { error, params } = issueOf(userMessage('no-such-column', { name }));
      context.addIssue({ code: 'custom', path: at, message: error, params });
    }
  });

export type Profile = z.infer<typeof profileSchema>;

/** Differs for any two profiles that differ. */
export function profileHash(profile: ProfileView['profile']): string {
  return hash('sha256', JSON.stringify(profile));
}
