import { z } from 'zod';
import { amountSchema } from './amount.ts';
import { failureSchema } from './failure.ts';
import { exampleReadingSchema, examplesSchema, profileDocumentSchema } from './profile.ts';
import { settingIssueSchema, settingsChangedSchema, settingsPatchSchema } from './settings.ts';
import { userMessageSchema } from './message-schema.ts';
import { serviceApiSchema } from './service-profile.ts';
import { enteredKeySchema } from './summary.ts';

/** A service that can be selected. */
export const serviceOfferSchema = z.object({
  /**
   * `this-computer`; `documented` for any service of the documented API; the name of a built-in
   * one, as the command line accepts it; or the origin of one whose profile the user saved.
   */
  id: z.string(),
  /** The address of a saved one; otherwise the profile's, if it has one. */
  origin: z.string().nullable(),
  isSaved: z.boolean(),
  profile: profileDocumentSchema,
  /** The profile's, or the documented API if it has none. */
  api: serviceApiSchema,
  /** Whether the profile says what its service charges. */
  isCostKnown: z.boolean(),
});

export type ServiceOffer = z.infer<typeof serviceOfferSchema>;

/** A service profile as entered, the address it is for, and examples to read by it. */
export const profileToCheckSchema = z.object({
  profile: z.unknown(),
  /** `null`: the profile's own. */
  baseUrl: z.string().max(2000).nullable().default(null),
  examples: examplesSchema.default({}),
});

/** What a service profile would do. With any error, there is no preview. */
export const profileCheckedSchema = z.object({
  errors: z.array(settingIssueSchema),
  /** `null` if the profile has none and none was entered. */
  origin: z.string().nullable(),
  /** Where the key, the rows and the files are sent to or come from. */
  destinations: z.array(userMessageSchema),
  reading: exampleReadingSchema.nullable(),
  /** The profile as a service that can be selected; `null` with any error. */
  offer: serviceOfferSchema.nullable(),
});

export type ProfileChecked = z.infer<typeof profileCheckedSchema>;

export const serviceToUseSchema = z.object({
  /** `service`, and others that are to apply as well. */
  settings: settingsPatchSchema,
  /** `null` for a service of the documented API. */
  profile: z.unknown(),
  /** The `confirmation` of the profile that the user agreed to replace. */
  replace: z.string().max(200).optional(),
});

export type ServiceToUse = z.infer<typeof serviceToUseSchema>;

/** A service and a key for it, which are tried before either is stored. */
export const serviceToTrySchema = serviceToUseSchema
  .omit({ replace: true })
  .extend({ key: z.string().min(1).max(500) });

export type ServiceToTry = z.infer<typeof serviceToTrySchema>;

/** The checks of a service, in their order. */
export const SERVICE_CHECKS = ['address', 'certificate', 'key', 'balance'] as const;

export type ServiceCheckName = (typeof SERVICE_CHECKS)[number];

export const serviceCheckSchema = z.object({
  check: z.enum(SERVICE_CHECKS),
  /** Those after a failed one stay `waiting`. */
  state: z.enum(['waiting', 'running', 'passed', 'failed']),
});

export type ServiceCheck = z.infer<typeof serviceCheckSchema>;

/** How far the checks of a service are. */
export const serviceTriedSchema = z.object({
  /** With any error of a field, the service was not asked. The key's field is `key`. */
  errors: z.array(settingIssueSchema),
  /** In their order; `balance` only if the service reports one. Empty with an error of a field. */
  checks: z.array(serviceCheckSchema),
  /** What the service said about the key; `null` before. */
  entered: enteredKeySchema.nullable(),
  /** Why a check failed; `null` while none has. */
  failure: failureSchema.nullable(),
  /** The account's balance; `null` before it is read. */
  balance: amountSchema.nullable(),
});

export type ServiceTried = z.infer<typeof serviceTriedSchema>;

/** A service at the same address, whose profile another one would replace. */
export const replacedServiceSchema = z.object({
  /** The name that the user knows. */
  name: z.string(),
  origin: z.string(),
  /** Its videos that are not finished, sent or not. */
  openVideos: z.int().nonnegative(),
  /**
   * Identifies the profile that would be replaced, and the one that would replace it. `null`: it
   * cannot be replaced, because its open videos are requests of another API.
   */
  confirmation: z.string().nullable(),
});

export type ReplacedService = z.infer<typeof replacedServiceSchema>;

export const serviceUsedSchema = settingsChangedSchema.extend({
  /** If this profile would replace another one, nothing was changed; `null` otherwise. */
  replaces: replacedServiceSchema.nullable(),
});

export type ServiceUsed = z.infer<typeof serviceUsedSchema>;
