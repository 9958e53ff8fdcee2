import { z } from 'zod';
import { hasNumberAsHost, isBaseAddress } from './base-address.ts';
import { batchSourceSchema, collisionSchema } from './batch.ts';
import { failureSchema } from './failure.ts';
import { zoneSchema } from './quota-days.ts';
import { userMessageSchema } from './message-schema.ts';
import { MAX_NAME_TEMPLATE } from './text-limits.ts';
import { issueOf, userMessage } from './user-message.ts';
import { visible } from './visible-text.ts';

/** Characters of an exported document. */
export const MAX_SETTINGS_LENGTH = 1024 * 1024;

/** The plans of service-api.md §8.3. */
export const PLAN_NAMES = ['free', 'starter', 'creator', 'pro', 'business'] as const;

/** Which service renders. */
const serviceSettingSchema = z.discriminatedUnion('kind', [
  /**
   * The bundled service. `practice`: with the documented limits of a plan (service-api.md §8), to
   * rehearse a batch for a remote service; `null`: only the computer limits it.
   */
  z.strictObject({
    kind: z.literal('local'),
    practice: z.enum(PLAN_NAMES).nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('remote'),
    /** Its base address, without `/api/v1`. */
    baseUrl: z
      .string()
      .max(2000)
      .refine(...visible)
      .refine(
        (address) => z.url({ protocol: /^https$/ }).safeParse(address).success,
        issueOf(userMessage('value-not-https')),
      )
      .refine(isBaseAddress, issueOf(userMessage('address-with-more')))
      .refine((address) => !hasNumberAsHost(address), issueOf(userMessage('address-is-number'))),
    /** PEM of the only certificate authority to trust for it; `null` for the system's. */
    ca: z
      .string()
      .max(64 * 1024)
      .refine(
        (text) => text.includes('-----BEGIN CERTIFICATE-----'),
        issueOf(userMessage('value-not-pem')),
      )
      .nullable()
      .default(null),
  }),
]);

/** The account's plan at a remote service (service-api.md §8.3); the local one reports its own. */
export const planSettingSchema = z
  .strictObject({
    name: z.enum([...PLAN_NAMES, 'custom']),
    /** Videos a month of a negotiated plan; only with `custom`. */
    limit: z.int().positive().max(1_000_000).nullable().default(null),
    /**
     * A day on which the quota resets (Free: the sign-up day); the first of the month when `null`.
     */
    billingDate: z.iso.date().nullable().default(null),
    /** IANA name of the zone in which billing days begin; UTC when `null`. */
    zone: zoneSchema.nullable().default(null),
  })
  .refine(({ name, limit }) => (name === 'custom') === (limit !== null), {
    path: ['limit'],
    ...issueOf(userMessage('plan-limit-negotiated')),
  });

export const transferSettingSchema = z.strictObject({
  /** Files at the same time. */
  parallel: z.int().min(1).max(8),
  /** Limit of all transfers together; `null` for no limit. */
  bytesPerSecond: z.number().positive().nullable(),
});

export const notificationSettingSchema = z.strictObject({
  batchSaved: z.boolean(),
  /** A video, the key or the quota needs the user's decision. */
  needsDecision: z.boolean(),
  failed: z.boolean(),
});

/** Everything that the user may set. The API key is not a setting: it is in the keychain. */
export const settingsSchema = z.object({
  service: serviceSettingSchema,
  plan: planSettingSchema,
  /**
   * Absolute path of the folder for batches that name none; `null` for the host's default folder.
   * The host decides by its system which paths are absolute (`engine/commands/folder-path.ts`).
   */
  folder: z.string().min(1).max(4096).nullable(),
  nameTemplate: z
    .string()
    .trim()
    .min(1)
    .max(MAX_NAME_TEMPLATE)
    .refine(...visible),
  onCollision: collisionSchema,
  /** Whether `NAME.results.csv` is kept up to date beside the source of each batch. */
  resultsFiles: z.boolean(),
  transfers: transferSettingSchema,
  /**
   * Whether names in download links may resolve to addresses of VPN clients (198.18.0.0/15) and of
   * NAT64 (64:ff9b::/96). Such an address does not show where it leads.
   */
  allowVpnAddresses: z.boolean(),
  /** Finished batches are archived after so many days without change; `null` for never. */
  archiveAfterDays: z.int().min(1).max(3650).nullable(),
  notifications: notificationSettingSchema,
  /** Whether sending is paused when the app starts. */
  startUp: z.enum(['run', 'paused', 'as-last-time']),
  startAtLogin: z.boolean(),
  /** Closing the window during a batch leaves the queue running. */
  closeToTray: z.boolean(),
  /** When this computer renders half as many videos at a time as it can, at least one. */
  lessPower: z.enum(['never', 'on-battery', 'always']),
  updates: z.enum(['stable', 'preview', 'off']),
  /** Applies to every page, and to what the system draws for the app. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Applies to every page, menu, notification and native dialog. */
  language: z.enum(['system', 'en', 'de']),
});

export type Settings = z.infer<typeof settingsSchema>;

/** Some settings, as entered: each is validated separately, and reported by its name. */
export const settingsPatchSchema = z.custom<Partial<z.input<typeof settingsSchema>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Settings come as an object.',
);

export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

/** A patch with the origin of the service that a plan in it is meant for. */
export const meantPatchSchema = z.custom<SettingsPatch & { readonly origin?: string }>(
  (value) => settingsPatchSchema.safeParse(value).success,
  'Settings come as an object.',
);

export const settingIssueSchema = userMessageSchema.extend({
  /** The field's path: `folder`, `plan.limit`. */
  field: z.string(),
});

export type SettingIssue = z.infer<typeof settingIssueSchema>;

export const settingsViewSchema = z.object({
  settings: settingsSchema,
  /** Settings that are overridden in this run, such as by an option on a command line. */
  overridden: z.array(settingsSchema.keyof()),
  /** Why stored settings are not in force; `null` if they are. */
  trouble: failureSchema.nullable(),
  /** Whether the computer runs on battery. */
  isOnBattery: z.boolean(),
});

export type SettingsView = z.infer<typeof settingsViewSchema>;

/** With any error, nothing was changed. */
export const settingsChangedSchema = settingsViewSchema.extend({
  errors: z.array(settingIssueSchema),
});

export type SettingsChanged = z.infer<typeof settingsChangedSchema>;

/** One setting that a file would change, as texts. */
export const settingChangeSchema = z.object({
  /** The field's path: `folder`, `profiles.https://api.example.com`. */
  field: z.string(),
  name: userMessageSchema,
  from: userMessageSchema,
  to: userMessageSchema,
  /** It controls what is sent where, what is written where, or what runs automatically. */
  isSensitive: z.boolean(),
});

export type SettingChange = z.infer<typeof settingChangeSchema>;

/** What a settings file would change. A file with any error changes nothing. */
export const importPreviewSchema = z.object({
  /** The sensitive ones first. */
  changes: z.array(settingChangeSchema),
  /** Each with the setting's name; `null` where only the field is known. */
  errors: z.array(settingIssueSchema.extend({ name: userMessageSchema.nullable() })),
  /** Identifies exactly these changes; `import` requires it. */
  confirmation: z.string(),
});

export type ImportPreview = z.infer<typeof importPreviewSchema>;

/** State of the first-run setup. */
export const setupStateSchema = z.object({
  /** True once a service was chosen, a key entered or a batch added. */
  isSetUp: z.boolean(),
});

export type SetupState = z.infer<typeof setupStateSchema>;

/** Everything is ready for a first batch on this computer. */
export const tryoutSchema = z.object({
  /** Of the service on this computer. */
  origin: z.string(),
  /** A few short videos; `null` where the examples are not installed. */
  sample: batchSourceSchema.nullable(),
});

export type Tryout = z.infer<typeof tryoutSchema>;
