import { z } from 'zod';
import { unitSchema } from './amount.ts';
import { pathSchema } from './answer-rules.ts';
import {
  fixedPathSchema,
  httpsOriginSchema,
  serviceIdSchema,
  httpsPageSchema,
  ID_PLACEHOLDER,
  idPathSchema,
  pathPrefixSchema,
} from './service-address.ts';
import {
  answerHeaderSchema,
  authHeaderSchema,
  authSchemeSchema,
  extraHeaderSchema,
  headerValueSchema,
} from './service-headers.ts';
import { issueOf, userMessage, type UserMessage } from './user-message.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const valuePathSchema = pathSchema.min(1);

/** The source of the profile's facts, and how far they were tested. */
const aboutSchema = z.strictObject({
  /** Address of the documentation that was read. */
  documentation: httpsPageSchema.nullable().default(null),
  /** The day on which it was read. */
  readOn: z.iso.date().nullable().default(null),
  tried: z.enum(['never', 'by-examples', 'by-a-finished-video']).default('never'),
});

const authSchema = z.strictObject({
  header: authHeaderSchema.default('x-api-key'),
  scheme: authSchemeSchema.default(''),
});

const generateSchema = z.strictObject({
  method: z.literal('POST').default('POST'),
  path: fixedPathSchema.default('/api/v1/video/generate'),
  /** The first whose property the request's body has replaces `path`. */
  pathBy: z
    .array(z.strictObject({ property: z.string().min(1).max(200), path: fixedPathSchema }))
    .max(10)
    .default([]),
  /**
   * `json`: the row's body unchanged. `multipart`: each of its properties is a part of
   * multipart/form-data; objects and lists are JSON text.
   */
  body: z.enum(['json', 'multipart']).default('json'),
});

/** Where a picture is sent before the request that names it. */
const uploadSchema = z.strictObject({
  /** Where uploads go, with the key, if not to the origin of all other requests. */
  origin: httpsOriginSchema.nullable().default(null),
  path: fixedPathSchema,
  /** The form field of the file; `null`: the body is the file. */
  part: z.string().min(1).max(200).nullable().default(null),
  /** The identifier or address in the answer, which stands in the request. */
  at: valuePathSchema,
  /** Whether it stands there as a text or as a number, however the answer has it. */
  as: z.enum(['text', 'number']).default('text'),
  /** How long the service keeps the file. */
  lifeMs: z
    .int()
    .min(2 * MINUTE_MS)
    .max(365 * DAY_MS)
    .default(HOUR_MS),
});

/** The least time between two requests for one video's status; `null` where none is documented. */
const everyMsSchema = z.int().min(1).max(HOUR_MS).nullable().default(null);

const atPathSchema = z.strictObject({ path: idPathSchema, everyMs: everyMsSchema });

/**
 * An address in a response: an https address of the same origin, or a path. It must begin with
 * `under`; a relative one is appended to it.
 */
const atAddressSchema = z.strictObject({
  addressAt: valuePathSchema,
  under: pathPrefixSchema.default('/'),
});

/**
 * How the status of a video is requested. With `addressAt`, its address is in the generate
 * response.
 */
const statusSchema = z.union([
  atPathSchema,
  z.strictObject({ ...atAddressSchema.shape, everyMs: everyMsSchema }),
]);

/** Where the file of a finished video comes from. */
const fileSchema = z.discriminatedUnion('kind', [
  /** An endpoint whose response contains a link (service-api.md §4.3). */
  z.strictObject({ kind: z.literal('link-endpoint'), path: idPathSchema }),
  /** The status response contains the link, at `answers.link`. Another request renews it. */
  z.strictObject({
    kind: z.literal('in-status'),
    /** How long it is valid after the response; `null` when that is not known. */
    lifeMs: z
      .int()
      .min(MINUTE_MS)
      .max(365 * DAY_MS)
      .nullable()
      .default(null),
  }),
  /** The file itself, at a path that needs the key. */
  z.strictObject({ kind: z.literal('content'), path: idPathSchema }),
  /** The same, at an address in the status response. */
  z.strictObject({ kind: z.literal('content-in-status'), ...atAddressSchema.shape }),
]);

const windowSchema = z.strictObject({
  /** `all`: requests of all kinds count together. */
  endpoint: z.enum(['generate', 'status', 'download', 'all']),
  count: z.int().min(1).max(1_000_000),
  /** Milliseconds. */
  perMs: z
    .int()
    .min(1000)
    .max(366 * DAY_MS),
  /** `assumed`: the documentation names no limit, and this one is cautious. */
  known: z.enum(['documented', 'assumed']).default('documented'),
});

const limitHeaderSchema = z.strictObject({
  name: answerHeaderSchema,
  means: z.enum(['limit', 'remaining', 'reset', 'retry-after']),
  /** The window that it describes; `null`: the one of the request that it answers. */
  endpoint: z.enum(['generate', 'status', 'download', 'all']).nullable().default(null),
});

const limitsSchema = z.strictObject({
  windows: z
    .array(windowSchema)
    .max(20)
    .prefault(() => [
      { endpoint: 'generate', count: 10, perMs: HOUR_MS, known: 'documented' },
      { endpoint: 'status', count: 60, perMs: MINUTE_MS, known: 'documented' },
      { endpoint: 'download', count: 30, perMs: HOUR_MS, known: 'documented' },
    ]),
  /** Renders at the same time. */
  concurrent: z
    .strictObject({ count: z.int().min(1).max(10_000) })
    .nullable()
    .default(null),
  /** Videos per day or month, whatever the plan. */
  cap: z
    .strictObject({ count: z.int().min(1).max(1_000_000), per: z.enum(['day', 'month']) })
    .nullable()
    .default(null),
  /** Values may have any format that Spool knows: moments, seconds, the IETF's fields. */
  headers: z
    .array(limitHeaderSchema)
    .max(20)
    .prefault(() => [
      { name: 'x-ratelimit-remaining', means: 'remaining', endpoint: null },
      { name: 'x-ratelimit-reset', means: 'reset', endpoint: null },
      { name: 'retry-after', means: 'retry-after', endpoint: null },
    ]),
});

const priceSchema = z.number().min(0).max(1_000_000);
const columnSchema = z.string().min(1).max(200);

/** A value that a row has in a column, such as a model; or that it has none. */
export const cellConditionSchema = z.union([
  z.strictObject({
    column: columnSchema,
    is: z
      .array(z.union([z.string(), z.number()]))
      .min(1)
      .max(100),
  }),
  z.strictObject({ column: columnSchema, isEmpty: z.boolean() }),
]);

export type CellCondition = z.infer<typeof cellConditionSchema>;

/** What one video costs, as an estimate: `fixed`, and `each` for every unit of a column's value. */
const costRuleSchema = z.strictObject({
  fixed: priceSchema.default(0),
  perColumn: z
    .strictObject({
      /** A column of numbers, such as the seconds of a video. */
      column: columnSchema,
      each: priceSchema,
      /**
       * Replace `each` for rows that fulfil all conditions of one of them, such as a model and its
       * size; the first such one counts. `null`: the cost is not known.
       */
      cases: z
        .array(
          z.strictObject({
            when: z.array(cellConditionSchema).min(1).max(10),
            each: priceSchema.nullable(),
          }),
        )
        .max(100)
        .default([]),
    })
    .nullable()
    .default(null),
});

/** ISO 4217; only with `money`. */
const currencySchema = z
  .string()
  .refine((code) => /^[A-Z]{3}$/.test(code), issueOf(userMessage('value-not-currency')))
  .nullable()
  .default(null);

function hasItsCurrency({ unit, currency }: { unit: string; currency: string | null }): boolean {
  return (unit === 'money') === (currency !== null);
}

const CURRENCY_ISSUE = {
  path: ['currency'],
  ...issueOf(userMessage('currency-with-money')),
};

/** An amount that an answer has, and its unit. */
const reportedSchema = z.strictObject({
  /** The number, in the answer. */
  at: valuePathSchema,
  /** It may differ from the cost's unit: then the two are not compared. */
  unit: unitSchema,
  currency: currencySchema,
  /** A factor for the number, such as 0.01 if it counts cents. */
  factor: z.number().positive().max(1_000_000).default(1),
  /**
   * The number counts only if the response contains this text at this path, such as a currency.
   */
  where: z
    .strictObject({ at: valuePathSchema, is: z.string().min(1).max(200) })
    .nullable()
    .default(null),
});

/** Where the account's balance can be read: a GET that costs nothing. */
const balanceSchema = z
  .strictObject({ path: fixedPathSchema, ...reportedSchema.shape })
  .refine(hasItsCurrency, CURRENCY_ISSUE);

const costSchema = z
  .strictObject({
    unit: unitSchema.default('video'),
    currency: currencySchema,
    rule: costRuleSchema.prefault(() => ({ fixed: 1, perColumn: null })),
    /** `null`: the service does not report it. */
    balance: balanceSchema.nullable().default(null),
    /**
     * What one video has cost, in the answer to its request or in its status; `null`: no answer
     * has it.
     */
    actual: reportedSchema.refine(hasItsCurrency, CURRENCY_ISSUE).nullable().default(null),
  })
  .refine(hasItsCurrency, CURRENCY_ISSUE);

const listSchema = z.strictObject({
  /** Where recent videos are listed, newest first. */
  path: fixedPathSchema,
  /** The list in the response; empty when the response is the list. */
  items: pathSchema,
  /** The video's identifier and our own, in an item. */
  id: valuePathSchema,
  ours: valuePathSchema,
  /** When the video was created, in an item: text with a time zone, or seconds or milliseconds. */
  createdAt: valuePathSchema.nullable().default(null),
  /** The next page: the value at `at` is sent as the query parameter `parameter`. */
  nextPage: z
    .strictObject({
      at: valuePathSchema,
      parameter: z
        .string()
        .refine(
          (name) => /^[\w.~-]{1,100}$/.test(name),
          issueOf(userMessage('value-not-parameter')),
        ),
    })
    .nullable()
    .default(null),
});

/** How an uncertain request can be settled. Without any: the user decides. */
const onceSchema = z.strictObject({
  /** Header of a key that prevents a repeated request from making a second video. */
  idempotencyHeader: extraHeaderSchema.nullable().default(null),
  /**
   * How long the service knows such a key, from the first request on; `null` when its documentation
   * does not say, and then an hour is assumed.
   */
  keyLifeMs: z
    .int()
    .min(MINUTE_MS)
    .max(365 * DAY_MS)
    .nullable()
    .default(null),
  /** The path of our own identifier in a request. */
  idField: valuePathSchema.nullable().default(null),
  list: listSchema.nullable().default(null),
});

const cancelSchema = z.strictObject({
  method: z.enum(['POST', 'DELETE', 'PUT', 'PATCH']),
  path: idPathSchema,
});

/**
 * The requests and limits of a service: the part of a service profile that the API document defines
 * for its own service. Fields that are left out have the documented values.
 *
 * Paths are relative to the service's base address. None can lead to another origin, and the key is
 * sent only in `auth.header`.
 */
export const serviceApiSchema = z
  .strictObject({
    about: aboutSchema.prefault({}),
    /**
     * The service's identity: its origin, with `#environment` where one origin has several, such as
     * a sandbox. `null`: the user enters the address.
     */
    origin: serviceIdSchema.nullable().default(null),
    /** Origins that links to files may have; `null` for all that downloads allow. */
    linkOrigins: z.array(httpsOriginSchema).min(1).max(50).nullable().default(null),
    auth: authSchema.prefault({}),
    /** Sent with every request to the service's own endpoints. */
    headers: z
      .record(extraHeaderSchema, headerValueSchema)
      .refine(
        (headers) => Object.keys(headers).length <= 20,
        issueOf(userMessage('value-too-many', { max: 20 })),
      )
      .prefault(() => ({})),
    generate: generateSchema.prefault({}),
    upload: uploadSchema.nullable().default(null),
    status: statusSchema.prefault(() => ({ path: `/api/v1/video/status/${ID_PLACEHOLDER}` })),
    file: fileSchema.prefault(() => ({
      kind: 'link-endpoint',
      path: `/api/v1/video/download/${ID_PLACEHOLDER}`,
    })),
    limits: limitsSchema.prefault({}),
    cost: costSchema.prefault({}),
    once: onceSchema.prefault({}),
    cancel: cancelSchema.nullable().default(null),
    /**
     * A GET that costs nothing and shows whether the key is valid; `null`: the status of a video
     * that does not exist (service-api.md §5.7).
     */
    keyCheck: z.strictObject({ path: fixedPathSchema }).nullable().default(null),
  })
  .superRefine((api, context) => {
    const error = (path: string[], message: UserMessage): void => {
      const { error, params } = issueOf(message);
      context.addIssue({ code: 'custom', path, message: error, params });
    };
    const { auth, headers, once, status, file } = api;
    if (Object.hasOwn(headers, auth.header)) {
      error(['headers', auth.header], userMessage('header-of-key'));
    }
    const { idempotencyHeader } = once;
    if (idempotencyHeader === auth.header) {
      error(['once', 'idempotencyHeader'], userMessage('header-of-key'));
    } else if (idempotencyHeader !== null && Object.hasOwn(headers, idempotencyHeader)) {
      error(['once', 'idempotencyHeader'], userMessage('header-twice'));
    }
    if (typeof api.upload?.origin === 'string' && api.origin === null) {
      error(['upload', 'origin'], userMessage('upload-origin-of-any'));
    }
    // Such a video is known by its status address, and has no identifier for a path.
    if ('addressAt' in status && 'path' in file) {
      error(['file', 'path'], userMessage('id-not-known', { placeholder: ID_PLACEHOLDER }));
    }
    if ('addressAt' in status && api.cancel !== null) {
      error(['cancel', 'path'], userMessage('id-not-known', { placeholder: ID_PLACEHOLDER }));
    }
  });

export type ServiceApi = z.infer<typeof serviceApiSchema>;

/** The documented API (docs/service-api.md), used by a profile without `api`. */
export const DOCUMENTED_API: ServiceApi = serviceApiSchema.parse({});
