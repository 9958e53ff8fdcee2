import { implement, createRouterClient } from '@orpc/server';
import { contract, type Client } from '../contract/contract.ts';
import type { Worker } from '../contract/worker.ts';
import type { Engine } from '../engine/engine.ts';
import { proposeRulesFor } from './settings/example-answers.ts';
import { startingPoints } from './settings/starting-points.ts';
import type { Computer } from './computer.ts';
import { ComputerCommands } from './computer-commands.ts';
import { createComputerRouter } from './computer-router.ts';
import { toContractError } from './failures.ts';
import type { CallGate } from './call-gate.ts';
import { ObservableValue } from './observable-value.ts';
import type { Log } from './log.ts';
import { tryAnswerRules } from './settings/try-rules.ts';
import type { SettingsService } from './settings/settings-service.ts';

export type Router = ReturnType<typeof createRouter>;

export interface RouterParts {
  readonly engine: Engine;
  readonly computer: Computer;
  readonly log: Pick<Log, 'recent'>;
  readonly settingsService: SettingsService;
  /** Blocks calls while the engine is being reopened. */
  readonly gate: CallGate;
}

/**
 * Answers the contract from an engine. An engine error with a user message crosses as the
 * contract's `FAILED` with the failure as its data; any other error crosses without its details.
 */
export function createRouter({ engine, computer, log, settingsService, gate }: RouterParts) {
  const host = implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw toContractError(error);
    }
  });
  // Engine calls wait while the engine switches services. Streams, and calls that lead to a switch,
  // must not: they would deadlock.
  const os = host.use(({ next }) => gate.run(async () => next()));
  return host.router({
    watch: host.watch.handler(async function* ({ input, signal }) {
      yield* engine.watch(input.since, signal ?? new AbortController().signal);
    }),
    jobs: {
      list: os.jobs.list.handler(({ input }) => engine.listJobs(input)),
      show: os.jobs.show.handler(({ input }) => engine.showJob(input.id)),
      hold: os.jobs.hold.handler(({ input }) => engine.hold(input.ids)),
      resume: os.jobs.resume.handler(({ input }) => engine.resumeJobs(input.ids)),
      cancel: os.jobs.cancel.handler(({ input }) => engine.cancel(input.ids)),
      retry: os.jobs.retry.handler(({ input }) => engine.retry(input.ids, input)),
      retryFailed: os.jobs.retryFailed.handler(({ input }) =>
        engine.retryFailed(input.batchId, input.limit, input),
      ),
      planRetry: os.jobs.planRetry.handler(({ input }) =>
        input.ids ? engine.planRetry(input.ids) : engine.planRetryFailed(input.batchId),
      ),
      fetch: os.jobs.fetch.handler(({ input }) => engine.fetch(input.ids)),
      move: os.jobs.move.handler(({ input }) => engine.move(input.ids, input.before)),
      prioritise: os.jobs.prioritise.handler(({ input }) =>
        engine.prioritise(input.ids, input.priority),
      ),
      edit: os.jobs.edit.handler(({ input }) => engine.edit(input)),
      resolve: os.jobs.resolve.handler(({ input }) => engine.resolve(input)),
    },
    batches: {
      plan: os.batches.plan.handler(({ input: { source, options, show } }) =>
        engine.planBatch(source, options, show),
      ),
      add: os.batches.add.handler(({ input }) => engine.addBatch(input.source, input.options)),
    },
    preview: {
      frame: host.preview.frame.handler(({ input, signal }) =>
        settingsService.frame(input.request, signal),
      ),
    },
    queue: {
      pause: os.queue.pause.handler(({ input }) => engine.pause(input.what)),
      resume: os.queue.resume.handler(() => engine.resume()),
      stopBefore: os.queue.stopBefore.handler(({ input }) => engine.stopBefore(input.id)),
      otherServices: os.queue.otherServices.handler(() => engine.otherServices()),
      worker: host.queue.worker.handler(async function* ({ signal }) {
        yield* new ObservableValue<Worker>({ kind: 'here' }).values(signal);
      }),
    },
    transfers: {
      pause: os.transfers.pause.handler(({ input }) => engine.pauseTransfers(input.ids)),
      resume: os.transfers.resume.handler(({ input }) => engine.resumeTransfers(input.ids)),
    },
    quota: {
      correct: os.quota.correct.handler(({ input }) => engine.correctQuota(input.used)),
      days: os.quota.days.handler(({ input }) => engine.quotaDays(input.zone)),
    },
    activity: {
      list: os.activity.list.handler(({ input }) => engine.listActivity(input)),
      units: os.activity.units.handler(({ input }) => engine.listUnits(input)),
      export: os.activity.export.handler(async function* ({ input, signal }) {
        yield* engine.exportActivity(input, signal ?? new AbortController().signal);
      }),
    },
    files: {
      check: os.files.check.handler(() => engine.checkFiles()),
      verify: os.files.verify.handler(async function* ({ input, signal }) {
        yield* engine.verifyFiles(input.ids, signal ?? new AbortController().signal);
      }),
      planRename: os.files.planRename.handler(({ input }) => engine.planRename(input, input.limit)),
      rename: os.files.rename.handler(({ input }) => engine.rename(input)),
      poster: os.files.poster.handler(async ({ input }) => ({
        path: await engine.poster(input.id),
      })),
    },
    service: {
      tryNow: os.service.tryNow.handler(() => engine.tryNow()),
      fallAsleep: os.service.fallAsleep.handler(() => engine.fallAsleep()),
      teach: os.service.teach.handler(({ input }) => engine.teach(input.word, input.means)),
    },
    settings: {
      get: host.settings.get.handler(() => settingsService.view),
      watch: host.settings.watch.handler(async function* ({ signal }) {
        yield* settingsService.views(signal);
      }),
      set: host.settings.set.handler(({ input }) => settingsService.set(input)),
      export: host.settings.export.handler(() => ({ text: settingsService.export() })),
      previewImport: host.settings.previewImport.handler(({ input }) =>
        settingsService.previewImport(input.text),
      ),
      import: host.settings.import.handler(({ input }) =>
        settingsService.import(input.text, input.confirmation),
      ),
    },
    profile: {
      get: host.profile.get.handler(() => settingsService.profileView),
      startingPoints: host.profile.startingPoints.handler(() => [...startingPoints]),
      propose: host.profile.propose.handler(({ input }) => proposeRulesFor(input)),
      test: host.profile.test.handler(({ input }) => tryAnswerRules(input.answers, input.examples)),
      save: host.profile.save.handler(({ input }) => settingsService.saveProfile(input.profile)),
      reset: host.profile.reset.handler(() => settingsService.resetProfile()),
    },
    setup: {
      state: host.setup.state.handler(() => settingsService.setupState()),
      tryHere: host.setup.tryHere.handler(() => settingsService.tryHere()),
    },
    key: {
      set: os.key.set.handler(({ input }) => engine.setKey(input.value, input.label)),
      label: os.key.label.handler(({ input }) => engine.labelKey(input.label)),
      check: os.key.check.handler(() => engine.checkKey()),
      forget: os.key.forget.handler(() => engine.forgetKey()),
    },
    computer: createComputerRouter(computer, new ComputerCommands(engine, computer, log)),
  });
}

/** A client of a router in this process, for the command line. */
export function clientInProcess(router: Router): Client {
  return createRouterClient(router);
}
