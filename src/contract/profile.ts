import { z } from 'zod';
import { answerRulesSchema } from './answer-rules.ts';
import { fieldTextSchema } from './field-text.ts';
import { remoteStateSchema } from './job.ts';
import { settingFaultSchema } from './settings.ts';
import { userMessageSchema } from './message-schema.ts';

/**
 * Everything about a service that the API leaves undocumented, as plain data that can be shared and
 * edited. What `request` may say is checked by the engine.
 */
export const profileDocumentSchema = z.object({
  name: z.string(),
  request: z.record(z.string(), z.unknown()),
  answers: answerRulesSchema,
});

const pasteSchema = z
  .string()
  .max(1024 * 1024)
  .optional();

/**
 * Answers of a service as somebody copied them: JSON, with or without headers and remarks around
 * it. The status text may hold several answers, ideally one for each word.
 */
export const examplesSchema = z.object({
  generate: pasteSchema,
  status: pasteSchema,
  download: pasteSchema,
});

/** What would be read from the examples. */
export const exampleReadingSchema = z.object({
  /** `null`: there is no identifier where the rules look, or no example. */
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
  /** Texts in which there is no JSON. */
  unreadable: z.array(z.enum(['generate', 'status', 'download'])).readonly(),
});

export const ruleProposalSchema = z.object({
  rules: answerRulesSchema,
  /** Every word of the examples; `means` is a guess that its reader confirms or corrects. */
  words: z.array(z.object({ word: z.string(), means: remoteStateSchema.nullable() })).readonly(),
  /** What was asked for by an example and is not in it. */
  notFound: z.array(z.enum(['id', 'status', 'link'])).readonly(),
  /** The examples, read by the proposed rules. */
  reading: exampleReadingSchema,
});

/** The profile in force. */
export const profileViewSchema = z.object({
  /** Of the service that it is for. */
  origin: z.string(),
  profile: profileDocumentSchema,
  /** What the properties of a request are called that take a column's value as it is. */
  labels: z.record(z.string(), fieldTextSchema),
  /** `usual`: nothing else was saved for this service; `run`: named by an option of this run. */
  from: z.enum(['usual', 'saved', 'run']),
  /** False for the service on this computer, whose answers are known. */
  canChange: z.boolean(),
});

export type ProfileView = z.infer<typeof profileViewSchema>;

/** With any fault nothing was saved. */
export const profileSavedSchema = profileViewSchema.extend({
  faults: z.array(settingFaultSchema),
});

export type ProfileSaved = z.infer<typeof profileSavedSchema>;

/** With any fault there is no reading. */
export const profileTriedSchema = z.object({
  reading: exampleReadingSchema.nullable(),
  faults: z.array(settingFaultSchema),
});

export type ProfileTried = z.infer<typeof profileTriedSchema>;
