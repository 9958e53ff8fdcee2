import { z } from 'zod';
import { answerRulesSchema } from './answer-rules.ts';
import { remoteStateSchema } from './job.ts';
import { serviceApiSchema } from './service-profile.ts';
import { settingIssueSchema } from './settings.ts';
import { userMessageSchema } from './message-schema.ts';

/**
 * Everything about a service that the API leaves undocumented, as plain data that can be shared and
 * edited. The engine validates `request`.
 */
export const profileDocumentSchema = z.object({
  name: z.string(),
  /** Endpoints and limits; the documented API when left out. */
  api: serviceApiSchema.optional(),
  request: z.record(z.string(), z.unknown()),
  answers: answerRulesSchema,
});

const pasteSchema = z
  .string()
  .max(1024 * 1024)
  .optional();

/**
 * A service's responses as pasted by the user: JSON, with or without headers and remarks around it.
 * The status text may contain several responses, ideally one for each word.
 */
export const examplesSchema = z.object({
  generate: pasteSchema,
  status: pasteSchema,
  download: pasteSchema,
});

/** What the rules read from the examples. */
export const exampleReadingSchema = z.object({
  /** `null`: the rules found no identifier, or there is no example. */
  id: z.string().nullable(),
  statuses: z
    .array(
      z.object({
        /** `null`: the rules do not know the word. */
        state: remoteStateSchema.nullable(),
        word: z.string().nullable(),
        /** 0 to 1. */
        progress: z.number().nullable(),
        error: z.string().nullable(),
      }),
    )
    .readonly(),
  /** `null` without an example. */
  link: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('link'),
        link: z.object({ url: z.string(), expiresAt: z.number().nullable() }),
      }),
      z.object({ kind: z.literal('not-ready') }),
      z.object({ kind: z.literal('unreadable'), why: userMessageSchema }),
    ])
    .nullable(),
  /** Texts that contain no JSON. */
  unreadable: z.array(z.enum(['generate', 'status', 'download'])).readonly(),
});

export const ruleProposalSchema = z.object({
  rules: answerRulesSchema,
  /** Every status word in the examples; `means` is a guess that the user confirms or corrects. */
  words: z.array(z.object({ word: z.string(), means: remoteStateSchema.nullable() })).readonly(),
  /** What an example should contain and does not. */
  notFound: z.array(z.enum(['id', 'status', 'link'])).readonly(),
  /** The examples, read by the proposed rules. */
  reading: exampleReadingSchema,
});

/** The effective profile. */
export const profileViewSchema = z.object({
  /** Origin of the service that it is for. */
  origin: z.string(),
  profile: profileDocumentSchema,
  /**
   * `usual`: the default, because none was saved for this service; `run`: from an option of this
   * run.
   */
  from: z.enum(['usual', 'saved', 'run']),
  /** False for the service on this computer, whose responses are known. */
  canChange: z.boolean(),
});

export type ProfileView = z.infer<typeof profileViewSchema>;

/** With any error, nothing was saved. */
export const profileSavedSchema = profileViewSchema.extend({
  errors: z.array(settingIssueSchema),
});

export type ProfileSaved = z.infer<typeof profileSavedSchema>;

/** With any error, there is no reading. */
export const profileTriedSchema = z.object({
  reading: exampleReadingSchema.nullable(),
  errors: z.array(settingIssueSchema),
});

export type ProfileTried = z.infer<typeof profileTriedSchema>;
