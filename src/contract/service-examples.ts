import { z } from 'zod';
import { unreadKinds } from './examples/unread-notation.ts';
import { remoteStateSchema } from './job.ts';
import { examplesSchema } from './profile.ts';
import { profileCheckedSchema } from './service-offer.ts';

const pasteSchema = z
  .string()
  .max(1024 * 1024)
  .default('');

/**
 * What a service's documentation shows, as pasted by the user. A request is a curl, wget or
 * HTTPie command, an HTTP request, or an address with a JSON body.
 */
const requestExamplesSchema = z.object({
  generate: pasteSchema,
  status: pasteSchema,
  /** For the file, or for a link to it. */
  file: pasteSchema,
  cancel: pasteSchema,
  /**
   * For a list of videos, or anything else that costs nothing: it shows whether the key is valid.
   */
  list: pasteSchema,
  /** For sending a picture that the request for a video names afterwards. */
  upload: pasteSchema,
});

export type RequestExamples = z.infer<typeof requestExamplesSchema>;

const answerExamplesSchema = examplesSchema.extend({ upload: examplesSchema.shape.generate });

const fieldSchema = z.string().max(2000);

/** The main fields of a profile as a form has them: texts, which may be invalid. */
export const serviceFieldsSchema = z.object({
  name: fieldSchema,
  origin: fieldSchema,
  authHeader: fieldSchema,
  authScheme: fieldSchema,
  generatePath: fieldSchema,
  statusPath: fieldSchema,
  /** Empty if the status contains the link. */
  filePath: fieldSchema,
  /** Requests for videos in a `span`. */
  requests: fieldSchema,
  span: z.enum(['minute', 'hour', 'day']),
  /** Renders at a time; empty for no limit. */
  concurrent: fieldSchema,
  /** Cost of one video; empty if it is not known. */
  cost: fieldSchema,
  /** `credit`, or the code of a currency. */
  costUnit: fieldSchema,
});

export type ServiceFields = z.infer<typeof serviceFieldsSchema>;

export const serviceExamplesSchema = z.object({
  requests: requestExamplesSchema.prefault({}),
  answers: answerExamplesSchema.prefault({}),
  /** What the user corrected. */
  corrected: serviceFieldsSchema.partial().prefault({}),
  /** The meanings of status words, as selected by the user. */
  words: z
    .record(z.string().min(1).max(100), remoteStateSchema)
    .refine((words) => Object.keys(words).length <= 100)
    .prefault({}),
});

export type ServiceExamples = z.infer<typeof serviceExamplesSchema>;

/** What examples should show and do not. */
const missingSchema = z.enum([
  ...([
    'request',
    'address',
    'key',
    'body',
    'text',
    'id',
    'status-path',
    'status',
    'done',
    'link',
    /** The file is requested by an identifier that is not the video's. */
    'file-id',
    /** What the request calls an uploaded picture, in the response to the upload. */
    'upload',
  ] as const),
]);

export type MissingFact = z.infer<typeof missingSchema>;

/** A service profile proposed from examples. It takes effect only when it is saved. */
export const serviceProposalSchema = z.object({
  fields: serviceFieldsSchema,
  /** What the profile would do, with its errors by field. */
  checked: profileCheckedSchema,
  /** The proposed profile, which may have errors. */
  profile: z.record(z.string(), z.unknown()),
  /** Columns whose values are sent. */
  columns: z.array(z.object({ name: z.string(), path: z.string(), isRequired: z.boolean() })),
  /** Every status word of the examples; `null` if its meaning is not known. */
  words: z.array(z.object({ word: z.string(), means: remoteStateSchema.nullable() })).readonly(),
  /** Limits of the profile that the user did not enter. */
  assumed: z.array(z.enum(['requests', 'concurrent'])),
  missing: z.array(missingSchema),
  /** Texts that contain no request, with the notation in which they are written, if known. */
  unreadable: z.partialRecord(requestExamplesSchema.keyof(), z.enum(unreadKinds)),
  /** Whether the response to the request for a video contains the address of its status. */
  isStatusInAnswer: z.boolean(),
  /** Names of headers, parameters and fields of the examples that the profile does not use. */
  leftOut: z.array(z.string()),
  /** Whether the examples contained a key. This object does not contain it. */
  hadKey: z.boolean(),
  /** The examples without keys; a request from which one could not be removed is empty. */
  cleaned: z.object({ requests: requestExamplesSchema, answers: answerExamplesSchema.required() }),
});

export type ServiceProposal = z.infer<typeof serviceProposalSchema>;
