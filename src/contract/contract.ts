import { eventIterator, oc, type ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import {
  addedBatchSchema,
  batchOptionsSchema,
  batchPlanSchema,
  batchSourceSchema,
} from './batch.ts';
import { failureSchema } from './failure.ts';
import { jobDetailsSchema, jobSchema, jobStateSchema } from './job.ts';
import { keyStatusSchema, updateSchema } from './summary.ts';

/** Every call may end in a failure that its caller can show; anything else is a defect. */
const base = oc.errors({ FAILED: { status: 422, data: failureSchema } });

const jobIds = z.object({ ids: z.array(z.string()).min(1).max(100_000) });

/** How many of the named jobs changed, and which did not and why. */
const changed = z.object({
  changed: z.int().nonnegative(),
  refused: z.array(z.object({ id: z.string(), failure: failureSchema })),
});

/**
 * Everything that a UI and the engine say to each other. Hosts implement it with
 * `host/router.ts`; the renderer, the CLI and tests call it through a `Client`, whatever carries it.
 */
export const contract = {
  /** The first update has everything; the later ones come as things change, at most 20 a second. */
  watch: base
    .input(z.object({ since: z.int().nonnegative().optional() }))
    .output(eventIterator(updateSchema)),

  jobs: {
    /** Rows in queue order. */
    list: base
      .input(
        z.object({
          batchId: z.string().optional(),
          states: z.array(jobStateSchema).optional(),
          /** Looked for in titles, without regard to case. */
          search: z.string().max(200).optional(),
          offset: z.int().nonnegative().default(0),
          limit: z.int().positive().max(1000).default(200),
        }),
      )
      .output(z.object({ total: z.int().nonnegative(), jobs: z.array(jobSchema) })),
    show: base.input(z.object({ id: z.string() })).output(jobDetailsSchema),
    hold: base.input(jobIds).output(changed),
    resume: base.input(jobIds).output(changed),
    /** Withdraws unsent jobs; lets go of those already sent, whose quota is spent. */
    cancel: base.input(jobIds).output(changed),
    /** Queues failed or rejected jobs once more, at the cost of a new unit of quota. */
    retry: base.input(jobIds).output(changed),
    /** Its owner's word on a job whose submission had an unknown outcome. */
    resolve: base
      .input(
        z.discriminatedUnion('as', [
          z.object({ id: z.string(), as: z.literal('made'), remoteId: z.string().min(1).max(200) }),
          z.object({ id: z.string(), as: z.literal('send-again') }),
          z.object({ id: z.string(), as: z.literal('let-go') }),
        ]),
      )
      .output(jobSchema),
  },

  batches: {
    /** Reads and checks a batch and forecasts it; stores, sends and spends nothing. */
    plan: base
      .input(z.object({ source: batchSourceSchema, options: batchOptionsSchema.default({}) }))
      .output(batchPlanSchema),
    /**
     * Queues a batch's rows. Rows that are already in a batch of this name and folder are not
     * queued again. Fails with the first fault, and adds nothing, if any row has one.
     */
    add: base
      .input(z.object({ source: batchSourceSchema, options: batchOptionsSchema.default({}) }))
      .output(addedBatchSchema),
  },

  queue: {
    /** Sends nothing more; what was sent is still watched and fetched. */
    pause: base,
    resume: base,
  },

  key: {
    /** Replaces the key and checks it as service-api.md §5.7 describes. */
    set: base.input(z.object({ value: z.string().min(1).max(500) })).output(keyStatusSchema),
    check: base.output(keyStatusSchema),
    forget: base.output(keyStatusSchema),
  },
};

/** The one way in which a UI knows an engine. */
export type Client = ContractRouterClient<typeof contract>;
