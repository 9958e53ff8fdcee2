import { createRouterClient, type Router as RouterOf } from '@orpc/server';
import { contract, type Client, type HostContract } from '../contract/contract.ts';
import type { Worker } from '../contract/worker.ts';
import type { EngineView } from '../engine/engine-view.ts';
import type { Handlers } from '../engine/commands/handlers.ts';
import { proposeRulesFor } from './settings/example-answers.ts';
import { proposeService } from './settings/propose-service.ts';
import { checkProfile } from './settings/service-offers.ts';
import { startingPoints } from './settings/starting-points.ts';
import type { Computer } from './computer.ts';
import { computerCommands } from './computer-commands.ts';
import type { Log } from './log.ts';
import { functionAt, implementContract } from './implement-contract.ts';
import type { ManagedServices } from './managed-services.ts';
import { ObservableValue } from './observable-value.ts';
import { tryAnswerRules } from './settings/try-rules.ts';
import type { Thumbnails } from './thumbnails.ts';
import type { QueueServices } from './queue-services.ts';
import type { SettingsService } from './settings/settings-service.ts';

export type Router = RouterOf<typeof contract, object>;

export interface RouterParts {
  readonly engine: EngineView;
  readonly computer: Computer;
  readonly log: Pick<Log, 'recent'>;
  readonly settingsService: SettingsService;
  readonly services: QueueServices;
  readonly managedServices: ManagedServices;
  readonly thumbnails: Thumbnails;
}

/** Implements the contract: by the engine's commands, and by what this process knows. */
export function createRouter(parts: RouterParts): Router {
  const { engine, computer, log, settingsService, services, managedServices, thumbnails } = parts;
  const records = {
    showJob: (id: string) => engine.run(undefined, ({ jobs }) => jobs.show({ id })),
    summary: () => engine.summary(),
  };
  const handlers: Handlers<HostContract> = {
    watch: ({ since }, signal) => engine.watch(since, signal),
    preview: {
      frame: ({ request }, signal) => services.frame(request, signal),
      thumbnail: ({ picture }, signal) => thumbnails.of(picture, signal),
    },
    queue: { worker: (_, signal) => new ObservableValue<Worker>({ kind: 'here' }).values(signal) },
    services: {
      show: ({ origin }) => settingsService.showService(origin),
      pauseAll: ({ what }) => services.pauseAll(what),
      resumeAll: () => services.resumeAll(),
      list: () => managedServices.list(),
      rename: ({ origin, name }) => managedServices.rename(origin, name),
      remove: ({ origin, rows }) => managedServices.remove(origin, rows),
    },
    settings: {
      get: () => settingsService.view,
      watch: (_, signal) => settingsService.views(signal),
      set: (patch) => settingsService.set(patch),
      tryService: (wanted, signal) => settingsService.tryService(wanted, signal),
      useService: (wanted) => settingsService.useService(wanted),
      export: () => ({ text: settingsService.export() }),
      previewImport: ({ text }) => settingsService.previewImport(text),
      import: ({ text, confirmation }) => settingsService.import(text, confirmation),
    },
    profile: {
      get: () => settingsService.profileView,
      startingPoints: () => [...startingPoints],
      services: () => settingsService.offers,
      check: (entered) => checkProfile(entered),
      propose: (examples) => proposeRulesFor(examples),
      proposeService: (examples) => proposeService(examples),
      test: ({ answers, examples }) => tryAnswerRules(answers, examples),
      save: ({ origin, profile }) => settingsService.saveProfile(origin, profile),
      reset: ({ origin }) => settingsService.resetProfile(origin),
    },
    setup: {
      state: () => settingsService.setupState(),
      tryHere: () => settingsService.tryHere(),
    },
    computer: computerCommands(records, computer, log),
  };
  return implementContract(contract, ({ path, input, signal }) => {
    const ofHost = functionAt(handlers, path);
    if (ofHost) return ofHost(input, signal);
    return engine.run(input, (commands) => functionAt(commands, path)?.(input, signal));
  }) as Router;
}

/** A client of a router in this process, for the command line. */
export function clientInProcess(router: Router): Client {
  return createRouterClient(router);
}
