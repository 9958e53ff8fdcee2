import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../contract/contract.ts';
import { EngineError, FolderUnusableError } from '../engine/engine-error.ts';
import {
  openEngine,
  type Engine,
  type EngineOptions,
  type Logger,
  type PlanOptions,
  type ServiceOptions,
} from '../engine/engine.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { InstanceLock } from '../engine/jobs/instance-lock.ts';
import { makeFolder } from '../engine/make-folder.ts';
import type { Profile } from '../engine/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { bareComputer, type Computer } from './computer.ts';
import { localPort } from './local-port.ts';
import { LocalService, type LocalAccount, type RunningLocalService } from './local-service.ts';
import { clientInProcess, createRouter, type Router } from './router.ts';
import type { ServiceProgram } from './service-program.ts';

/** Which service renders. */
export type ServiceChoice =
  /** The one that Spool carries, with an account on `plan` that is opened on first use. */
  | { readonly kind: 'local'; readonly plan: string }
  | {
      readonly kind: 'remote';
      /** The service's base address, without `/api/v1`. */
      readonly baseUrl: string;
      /** Path of a PEM file with the one certificate authority to trust. */
      readonly caFile?: string | undefined;
      readonly plan: PlanOptions;
    };

export interface HostOptions {
  /** Absolute path. */
  readonly dataDir: string;
  readonly service: ServiceChoice;
  /** Absolute path of the folder for files of batches that name none. */
  readonly defaultFolder: string;
  readonly keys: KeyStore;
  readonly serviceProgram: ServiceProgram;
  /** How the service is asked and answers; the storyboard profile when left out. */
  readonly profile?: Profile | undefined;
  /**
   * Opens the queue to look at it only: the local service is not started, and with a key store that
   * is empty nothing can be sent.
   */
  readonly onlyLook?: boolean;
  /** What the page may ask of the computer; nothing when left out. */
  readonly computer?: Computer;
  readonly logger?: Logger;
}

export interface Host {
  readonly client: Client;
  readonly router: Router;
  /** Resolves if the local service's process ends before the host is closed. */
  readonly serviceLost: Promise<void>;
  /** Stops at a safe point, the engine first. */
  close(): Promise<void>;
}

/** What a short storyboard takes to render on a computer of today (`npm run bench:render`). */
const LOCAL_RENDER_MS = 5000;

/** Puts together an engine, the service it speaks to and the contract by which a UI knows it. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { service } = options;
  await assertFree(options.dataDir);
  const connected =
    service.kind === 'local'
      ? await connectLocal(options, service.plan)
      : { service: await remoteService(service), plan: service.plan, running: undefined };
  const { running } = connected;
  let engine: Engine;
  try {
    engine = await openEngine(engineOptions(options, connected));
  } catch (error) {
    await running?.stop();
    throw error;
  }
  const router = createRouter(engine, options.computer ?? bareComputer);
  return {
    router,
    client: clientInProcess(router),
    serviceLost: running?.ended ?? new Promise(() => undefined),
    async close() {
      await engine.close();
      await running?.stop();
    },
  };
}

/**
 * The engine takes this lock for itself, once its service is there. Asked for before, so that whoever
 * finds Spool running is told that, and not that its local service is.
 */
async function assertFree(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    InstanceLock.take(dataDir, process.pid).release();
  } catch (error) {
    throw error instanceof EngineError ? error : new FolderUnusableError(dataDir, error);
  }
}

interface Connected {
  readonly service: ServiceOptions;
  readonly plan: PlanOptions;
  readonly running: RunningLocalService | undefined;
}

function engineOptions(
  { dataDir, defaultFolder, keys, logger, profile }: HostOptions,
  { service, plan }: Connected,
): EngineOptions {
  return {
    dataDir,
    service: { ...service, ...(profile ? { profile } : {}) },
    plan,
    defaultFolder,
    keys,
    clock: systemClock,
    random: Math.random,
    makePoster: async (video) => (await import('./video-poster.ts')).makePoster(video),
    ...(logger ? { logger } : {}),
  };
}

async function connectLocal(options: HostOptions, planForNew: string): Promise<Connected> {
  const folder = path.join(options.dataDir, 'local-service');
  const local = new LocalService(options.serviceProgram, folder);
  const port = await localPort(folder);
  const address = `127.0.0.1:${port}`;
  const service: ServiceOptions = {
    name: 'this computer',
    baseUrl: `https://${address}`,
    allowedDownloadOrigin: address,
    usualRenderMs: LOCAL_RENDER_MS,
  };
  if (options.onlyLook) {
    const plan = planOf(await local.account(planForNew));
    return { service, plan, running: undefined };
  }
  const running = await local.start(port);
  try {
    const account = await local.account(planForNew);
    const { origin } = new URL(running.url);
    if ((await options.keys.get(origin)) === null) {
      await options.keys.set(origin, await local.newKey(account));
    }
    const here = { ...service, baseUrl: running.url, ca: running.ca };
    return { service: here, plan: planOf(account), running };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function planOf({ plan, quota }: LocalAccount): PlanOptions {
  return { name: plan, limit: quota.limit, anchor: Date.parse(quota.resetAt) };
}

async function remoteService({
  baseUrl,
  caFile,
}: ServiceChoice & { kind: 'remote' }): Promise<ServiceOptions> {
  const { host, origin } = new URL(baseUrl);
  if (caFile === undefined) return { name: host, baseUrl };
  try {
    // Whoever names the authority of a service vouches for the address that it serves files from.
    return {
      name: host,
      baseUrl,
      ca: await readFile(caFile, 'utf8'),
      allowedDownloadOrigin: new URL(origin).host,
    };
  } catch (cause) {
    throw new EngineError(
      { code: 'service-unreachable', message: `The certificate file ${caFile} cannot be read.` },
      { cause },
    );
  }
}
