import path from 'node:path';
import { hostOf, serviceIdOf } from '../contract/service-id.ts';
import { userMessage } from '../contract/user-message.ts';
import type { Failure } from '../contract/failure.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { PlanOptions } from '../engine/flow/quota-tracker.ts';
import type { ServiceLink, ServiceOptions, ServiceSetup } from '../engine/engine-options.ts';
import { systemClock } from '../engine/system-clock.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import type { AccountLimits } from '../engine/pacing/service-limits.ts';
import { FIRST_OF_MONTH, PLAN_QUOTAS } from '../engine/pacing/quota.ts';
import { readSmallText } from './bounded-file.ts';
import { storeLocally } from './local-pictures.ts';
import { localFrames, type ShownPictures } from './local-frames.ts';
import { findUndrawableLocally } from './local-glyphs.ts';
import { checkLayoutsLocally } from './local-layouts.ts';
import { deleteSavedLocally } from './local-saved.ts';
import { localPort } from './local-port.ts';
import { LocalRenderer } from './local-renderer.ts';
import { LocalService, LocalServiceError, type LocalAccount } from './local-service.ts';
import { rendersAtOnce } from './renders-at-once.ts';
import type { ServiceProgram } from './service-program.ts';

/** Milliseconds to render a short storyboard on a current computer (`npm run bench:render`). */
const LOCAL_RENDER_MS = 5000;

const HERE = 'this computer';

/** The plan, in the local service's words, of an account that only the computer limits. */
export const UNLIMITED = 'unlimited';

/** Which service renders. */
export type ServiceChoice =
  /**
   * The bundled service, with an account that is created on first use: `UNLIMITED`, or with the
   * documented limits of a plan.
   */
  | { readonly kind: 'local'; readonly plan: string }
  | {
      readonly kind: 'remote';
      /** The service's base address, without `/api/v1`. */
      readonly baseUrl: string;
      /** The only certificate authority to trust: its PEM, or the path of a file with it. */
      readonly ca?: { readonly pem: string } | { readonly file: string } | undefined;
      readonly plan: PlanOptions;
    };

export interface LinkOptions extends ShownPictures {
  readonly dataDir: string;
  readonly keys: KeyStore;
  readonly serviceProgram: ServiceProgram;
  /** Decides how much the local service renders at a time. */
  readonly renderer?: LocalRenderer;
  /** The local service is not started: the queue is shown, not run. */
  readonly readOnly?: boolean | undefined;
  /** Aborts the start of a local service. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Prepares a service for use; starts the local one, with an account and a key.
 * @throws {EngineError} when that fails
 */
export async function linkService(
  choice: ServiceChoice,
  options: LinkOptions,
): Promise<ServiceLink> {
  if (choice.kind === 'local') return linkLocal(choice, options);
  const service = await remoteService(choice);
  const neverEnds = new Promise<void>(() => undefined);
  const { plan } = choice;
  return {
    service,
    plan,
    drawFrame: null,
    ended: neverEnds,
    close: () => Promise.resolve(),
  };
}

/**
 * The setup of a service that cannot be connected, so that its rows can be shown. It makes no
 * requests, because it does not know the certificate to trust.
 */
export function offlineSetup(
  choice: ServiceChoice,
  origin: string,
  unavailable: Failure,
): ServiceSetup {
  const isLocal = choice.kind === 'local';
  const baseUrl = isLocal ? origin : choice.baseUrl;
  const name = isLocal ? HERE : hostOf(origin);
  return {
    service: {
      name,
      isLocal,
      baseUrl,
      unavailable,
      ...(isLocal && {
        newKey: () => Promise.reject(new EngineError(unavailable)),
        accountLimits: limitsWhenStopped(choice.plan),
      }),
    },
    plan: isLocal ? assumedPlan(choice.plan) : choice.plan,
  };
}

/** See `Service.connection`: the account on this computer, or an address and what it trusts. */
export function connectionOf(choice: ServiceChoice): string {
  const { kind, plan: ofAccount, ...address } = choice;
  return JSON.stringify([kind, kind === 'local' ? ofAccount : address]);
}

/** How settings and processes name a service: `local`, or its identity. */
export function serviceName({
  baseUrl,
}: {
  readonly kind: string;
  readonly baseUrl?: string;
}): string {
  return baseUrl === undefined ? 'local' : serviceIdOf(baseUrl);
}

function localService({ serviceProgram, dataDir, signal }: LinkOptions): LocalService {
  return new LocalService(serviceProgram, localFolder(dataDir), { signal });
}

/** The local service's folder within a data folder. */
export function localFolder(dataDir: string): string {
  return path.join(dataDir, 'local-service');
}

/**
 * Origin of the service on this computer, which keeps its port from its first use.
 * @throws the system's error when the port cannot be stored
 */
export async function ensureLocalOrigin({
  dataDir,
  readOnly,
}: Pick<LinkOptions, 'dataDir' | 'readOnly'>): Promise<string> {
  const port = await localPort(localFolder(dataDir)).catch((error: unknown) => {
    // If the service never ran and its port cannot be saved, there are no jobs of it to show.
    if (readOnly) return 0;
    throw error;
  });
  return `https://127.0.0.1:${port}`;
}

async function linkLocal(
  choice: ServiceChoice & { kind: 'local' },
  options: LinkOptions,
): Promise<ServiceLink> {
  const local = localService(options);
  const { renderer = new LocalRenderer() } = options;
  const baseUrl = await ensureLocalOrigin(options);
  const { host, port } = new URL(baseUrl);
  const service: ServiceOptions = {
    name: HERE,
    isLocal: true,
    baseUrl,
    allowedDownloadOrigin: host,
    usualRenderMs: LOCAL_RENDER_MS,
  };
  if (options.readOnly) {
    const plan = await planWhenReadOnly(local, choice.plan);
    const neverEnds = new Promise<void>(() => undefined);
    return {
      service: { ...service, accountLimits: limitsWhenStopped(choice.plan) },
      plan,
      drawFrame: null,
      ended: neverEnds,
      close: () => Promise.resolve(),
    };
  }
  // Before the service can be reached: no other user can sign up with its address.
  const account = await local.account(choice.plan);
  const running = await local.start(Number(port));
  try {
    await ensureKey(serviceIdOf(running.url), account, local, options.keys);
    const address = { ...running, keys: options.keys, clock: systemClock };
    const limits = limitsOf(account, running.rendersAtOnce, renderer);
    renderer.attach(running);
    return {
      service: {
        ...service,
        baseUrl: running.url,
        ca: running.ca,
        accountLimits: limits,
        setPaused: (isPaused) => renderer.setPaused(isPaused),
        findUndrawable: findUndrawableLocally(address),
        checkLayouts: checkLayoutsLocally(address),
        storeFile: storeLocally(address),
        ...(!limits.hasQuota && { deleteSaved: deleteSavedLocally(address) }),
        newKey: async () => local.newKey(await local.account(choice.plan)),
      },
      plan: planOf(account),
      drawFrame: localFrames(address, options),
      ended: running.ended,
      close: () => running.stop(),
    };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/**
 * The account's plan; the assumed one if it has no quota, whose days the service would know, or if the
 * service cannot write because the disk is full.
 */
async function planWhenReadOnly(local: LocalService, name: string): Promise<PlanOptions> {
  if (name === UNLIMITED) return assumedPlan(name);
  try {
    const account = await local.accountAsItIs(name);
    return { ...assumedPlan(name), anchor: planOf(account).anchor };
  } catch (error) {
    if (!(error instanceof LocalServiceError)) throw error;
    return assumedPlan(name);
  }
}

function assumedPlan(name: string): PlanOptions {
  const limit = new Map<string, number>(Object.entries(PLAN_QUOTAS)).get(name) ?? 0;
  return { name, limit, anchor: FIRST_OF_MONTH };
}

async function ensureKey(
  origin: string,
  account: LocalAccount,
  local: LocalService,
  keys: KeyStore,
): Promise<void> {
  if ((await keys.get(origin)) === null) await keys.set(origin, await local.newKey(account));
}

function planOf({ plan, quota }: LocalAccount): PlanOptions {
  return { name: plan, limit: quota.limit ?? 0, anchor: Date.parse(quota.countedFrom) };
}

const ENDPOINTS = ['generate', 'status', 'download'] as const;

/** What a plan is forecast with while the service does not run. */
function limitsWhenStopped(plan: string): AccountLimits | undefined {
  if (plan !== UNLIMITED) return undefined;
  return {
    windows: ENDPOINTS.map((endpoint) => ({ endpoint, count: 100, perMs: 1000 })),
    hasQuota: false,
    concurrent: rendersAtOnce() + HANDED_AHEAD,
    rendersAtOnce,
  };
}

/** How many videos wait in the service, so that it never waits for the next one. */
const HANDED_AHEAD = 2;

/**
 * Each request costs the computer processor time that a render could use; and as long as the service
 * has the next videos, nothing waits for the response.
 */
const STATUS_REQUESTS_A_SECOND = 5;

function limitsOf(
  { limits, quota }: LocalAccount,
  most: number,
  renderer: LocalRenderer,
): AccountLimits {
  const hasQuota = quota.limit !== null;
  const windows = Object.entries(limits).map(([endpoint, { requests, windowSeconds }]) => ({
    endpoint: endpoint as keyof typeof limits,
    count: requests,
    perMs: windowSeconds * 1000,
  }));
  if (hasQuota) return { windows, hasQuota, concurrent: null, rendersAtOnce: null };
  // The others stay in the queue, where they can be changed, moved and cancelled.
  const concurrent = most + HANDED_AHEAD;
  const perSecond = STATUS_REQUESTS_A_SECOND * concurrent;
  return {
    windows: windows.map((window) =>
      window.endpoint === 'status' ? { ...window, count: perSecond, perMs: 1000 } : window,
    ),
    hasQuota,
    concurrent,
    rendersAtOnce: () => renderer.rendersAtOnce,
  };
}

async function remoteService({
  baseUrl,
  ca,
}: ServiceChoice & { kind: 'remote' }): Promise<ServiceOptions> {
  const { host } = new URL(baseUrl);
  const name = hostOf(serviceIdOf(baseUrl));
  if (ca === undefined) return { name, baseUrl };
  const pem = 'pem' in ca ? ca.pem : await readCertificate(ca.file);
  // The user who configures a service's certificate authority trusts that address for downloads
  // too.
  return { name, baseUrl, ca: pem, allowedDownloadOrigin: host };
}

/** @throws {EngineError} when it cannot be read */
export async function readCertificate(file: string): Promise<string> {
  try {
    return await readSmallText(file);
  } catch (cause) {
    throw new EngineError(
      { code: 'service-unreachable', ...userMessage('certificate-file-unreadable', { file }) },
      { cause },
    );
  }
}
