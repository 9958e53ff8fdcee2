import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { BatchOptions } from '../../src/contract/batch.ts';
import type { Job } from '../../src/contract/job.ts';
import { DOCUMENTED_API, type ServiceApi } from '../../src/contract/service-profile.ts';
import type { Summary } from '../../src/contract/summary.ts';
import { PUBLIC_ONLY } from '../../src/engine/downloads/address-policy.ts';
import { Connections, type ResolveAll } from '../../src/engine/downloads/connections.ts';
import { freeName } from '../../src/engine/downloads/place.ts';
import type { DownloadOutcome, DownloadRequest } from '../../src/engine/downloads/request.ts';
import { openEngine, type EngineOptions, type TestEngine } from './open-engine.ts';
import type { DeleteSaved } from '../../src/engine/flow/flow-context.ts';
import { type KeyStore, MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import type { AccountLimits } from '../../src/engine/pacing/service-limits.ts';
import type { Profile } from '../../src/engine/profiles/profile.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import type { FitPicture } from '../../src/engine/pictures/picture-fit.ts';
import type { Upload } from '../../src/engine/service/upload.ts';
import { FakeService } from './fake-service.ts';
import { seededVideo, type SeededVideo } from './seeded-video.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { VirtualClock } from './virtual-clock.ts';

export const ORIGIN = 'https://service.example';

export interface EngineRigOptions {
  /** A folder that an earlier rig used; a new one when left out. */
  readonly folder?: string;
  /** The folder of the witness; a new one when left out. */
  readonly stateDir?: string;
  /** `false` where no test runs, as in a benchmark, which closes it. */
  readonly endsWithTest?: boolean;
  readonly service?: FakeService;
  /** Origin of that service; `ORIGIN` when left out. */
  readonly origin?: string;
  readonly clock?: VirtualClock;
  /** Stored as the key before the engine opens. */
  readonly key?: string | null;
  readonly keys?: KeyStore;
  readonly limit?: number;
  /** Limits of the service's profile, if they differ from the documented ones. */
  readonly serviceLimits?: Partial<ServiceApi['limits']>;
  /** The API of the service's profile; the documented one when left out. */
  readonly api?: Partial<ServiceApi>;
  /** The whole profile, instead of one with that API. */
  readonly profile?: Profile;
  readonly accountLimits?: AccountLimits;
  readonly usualRenderMs?: number;
  /** How long each download takes, in milliseconds; 1000 if left out. */
  readonly downloadMs?: number;
  /** IANA name of the zone in which billing days begin; UTC when left out. */
  readonly zone?: string;
  /** Another service, by its origin, for an engine that switches to it. Its key is stored. */
  readonly other?: { readonly origin: string; readonly service: FakeService };
  readonly disk?: FakeDisk;
  /** Told of every saved file of a service that deletes its videos then. */
  readonly deleteSaved?: DeleteSaved;
  /** How the service takes files before a request. */
  readonly upload?: Upload;
  /** Converts pictures to what the service takes. */
  readonly fitPicture?: FitPicture;
  /** Makes the service one of this computer, whose keys Spool makes. */
  readonly newKey?: () => Promise<string>;
}

/** The default profile with these differences. */
export function profileWith(
  api: Partial<ServiceApi>,
  limits: Partial<ServiceApi['limits']>,
): Profile {
  const serviceApi = { ...DOCUMENTED_API, ...api };
  return {
    ...storyboardProfile,
    api: { ...serviceApi, limits: { ...serviceApi.limits, ...limits } },
  };
}

/** A real engine on a real database, with virtual time and a service in memory. */
export class EngineRig {
  readonly engine: TestEngine;
  readonly clock: VirtualClock;
  readonly service: FakeService;
  readonly folder: string;
  /**
   * Each one is the outcome or the behaviour of one download, in order; later downloads succeed.
   */
  readonly nextDownload: ScriptedDownload[];
  readonly defects: unknown[];
  /** The disk that downloads are written to. */
  readonly disk: FakeDisk;
  /** The addresses that names of servers resolve to. */
  readonly dns: FakeDns;

  private constructor(
    parts: Omit<EngineRig, 'update' | 'jobs' | 'job' | 'add' | 'until' | 'close'>,
  ) {
    this.engine = parts.engine;
    this.clock = parts.clock;
    this.service = parts.service;
    this.folder = parts.folder;
    this.nextDownload = parts.nextDownload;
    this.defects = parts.defects;
    this.disk = parts.disk;
    this.dns = parts.dns;
  }

  static async open({
    folder = temporaryFolder(),
    stateDir = temporaryFolder(),
    endsWithTest = true,
    clock = new VirtualClock(),
    service = new FakeService(clock),
    origin = ORIGIN,
    key = 'svc_live_0123456789',
    limit = 50,
    serviceLimits,
    api,
    zone,
    other,
    keys = new MemoryKeyStore(),
    disk = new FakeDisk(),
    newKey,
    deleteSaved,
    accountLimits,
    usualRenderMs,
    profile,
    downloadMs = 1000,
    upload,
    fitPicture,
  }: EngineRigOptions = {}): Promise<EngineRig> {
    if (key !== null) await keys.set(origin, key);
    if (other) await keys.set(other.origin, 'svc_live_9876543210');
    const nextDownload: ScriptedDownload[] = [];
    const defects: unknown[] = [];
    const dns = new FakeDns();
    const options: EngineOptions = {
      dataDir: folder,
      stateDir,
      service: {
        name: 'the service',
        baseUrl: origin,
        ...(newKey && { isLocal: true, newKey }),
        deleteSaved,
        ...(accountLimits && { accountLimits }),
        ...(usualRenderMs !== undefined && { usualRenderMs }),
        ...((profile ?? api ?? serviceLimits) !== undefined && {
          profile: profile ?? profileWith(api ?? {}, serviceLimits ?? {}),
        }),
      },
      plan: {
        name: 'custom',
        limit,
        anchor: Date.UTC(2026, 0, 1),
        ...(zone !== undefined && { zone }),
      },
      defaultFolder: path.join(folder, 'renders'),
      keys,
      clock,
      random: () => 0.5,
      ...(fitPicture && { fitPicture }),
      logger: {
        info: () => undefined,
        warn: (fields) => defects.push(fields),
      },
    };
    const engine = await openEngine(options, ({ baseUrl }, _key, _rules, { settings }) => {
      const connections = dns.connections(settings.allowVpnAddresses);
      return {
        service: other?.origin === baseUrl ? other.service : service,
        upload,
        download: (request) =>
          fakeDownload(request, { clock, downloadMs }, nextDownload, disk, connections),
        disks: disk,
        connections,
        close: () => Promise.resolve(),
      };
    });
    const rig = new EngineRig({ engine, clock, service, folder, nextDownload, defects, disk, dns });
    if (endsWithTest) onTestFinished(() => rig.close());
    return rig;
  }

  update(): Promise<Summary> {
    return Promise.resolve(this.engine.summary());
  }

  async jobs(): Promise<Job[]> {
    return (await this.engine.commands.jobs.list({ offset: 0, limit: 1000 })).jobs;
  }

  async job(index: number): Promise<Job> {
    const [job] = (await this.engine.commands.jobs.list({ offset: index, limit: 1 })).jobs;
    if (!job) throw new Error(`There is no job ${index}.`);
    return job;
  }

  /** Adds a batch with one row per title to the service shown, and returns its jobs' ids. */
  async add(
    titles: readonly string[],
    name = 'Batch.csv',
    options: BatchOptions = {},
  ): Promise<string[]> {
    // As a spreadsheet marks a text that looks like a formula.
    const content = ['title', ...titles.map((title) => title.replace(/^=/, "'="))].join('\n');
    const { origin } = this.engine.summary().service;
    const source = { name, content };
    const { jobIds } = await this.engine.commands.batches.add({ origin, source, options });
    return jobIds;
  }

  /**
   * Advances time, sleeper by sleeper, until a condition holds.
   *
   * @param everyMs the least time between two checks: over a day, checking after each sleeper costs
   *   more than the sleepers' work
   */
  async until(
    condition: () => boolean | Promise<boolean>,
    withinMs = 3_600_000,
    everyMs = 1,
  ): Promise<void> {
    const end = this.clock.monotonic() + withinMs;
    while (!(await condition())) {
      if (this.clock.monotonic() > end) throw new Error(`Not so within ${withinMs} ms.`);
      await this.clock.advance(Math.max(everyMs, this.clock.nextDueIn ?? everyMs));
    }
  }

  async close(): Promise<void> {
    const closed = this.engine.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    await this.until(() => isClosed);
  }
}

/** A disk with as much space as a test sets. */
class FakeDisk {
  freeBytes = 1e12;
  isWritable = true;
  /** How long it takes to store received bytes when the next transfers are stopped. */
  readonly flushMs: number[] = [];

  free(): Promise<number> {
    return Promise.resolve(this.freeBytes);
  }

  canWrite(): Promise<boolean> {
    return Promise.resolve(this.isWritable);
  }
}

/** A resolver in memory, behind the connections that real downloads have. */
class FakeDns {
  /** Addresses of names that are not public. */
  readonly addresses = new Map<string, string>();
  /** Names that were looked up. */
  readonly asked: string[] = [];
  /** Lookups wait for this promise; `null`: they are answered at once. */
  holdUntil: Promise<unknown> | null = null;

  connections(allowVpnAddresses = false): Connections {
    const resolveAll: ResolveAll = (name, _options, answer) => {
      this.asked.push(name);
      const address = this.addresses.get(name) ?? '203.0.114.1';
      const respond = (): void => answer(null, [{ address, family: isIP(address) }]);
      if (this.holdUntil) void this.holdUntil.then(respond);
      else respond();
    };
    return new Connections({ ...PUBLIC_ONLY, allowVpnAddresses }, { resolveAll });
  }
}

type ScriptedDownload = DownloadOutcome | ((request: DownloadRequest) => Promise<DownloadOutcome>);

/**
 * Writes a small video, the same one for the same link, if the batch's collision setting allows it.
 */
async function fakeDownload(
  request: DownloadRequest,
  { clock, downloadMs }: { readonly clock: VirtualClock; readonly downloadMs: number },
  scripted: ScriptedDownload[],
  disk: FakeDisk,
  connections: Connections,
): Promise<DownloadOutcome> {
  const { link, target: wanted, onCollision, signal, onProgress, onEvent } = request;
  onProgress?.({ receivedBytes: 0, totalBytes: 100, bytesPerSecond: null });
  try {
    await clock.sleep(downloadMs, signal);
  } catch {
    const flushMs = disk.flushMs.shift();
    if (flushMs !== undefined) await clock.sleep(flushMs);
    return { kind: 'paused', receivedBytes: 0 };
  }
  const outcome = scripted.shift();
  if (outcome) return typeof outcome === 'function' ? outcome(request) : outcome;
  const host = new URL(link.url).hostname;
  if (await connections.isBlocked(host)) {
    return { kind: 'waiting', reason: 'address-blocked', host, until: null, neededBytes: null };
  }
  onEvent?.({ kind: 'verifying' });
  if (onCollision === 'skip' && existsSync(wanted)) return { kind: 'skipped', path: wanted };
  const target = onCollision === 'number' ? await freeName(wanted) : wanted;
  mkdirSync(path.dirname(target), { recursive: true });
  const { bytes, sha256 } = videoBehind(link.url);
  writeFileSync(target, bytes);
  return {
    kind: 'saved',
    path: target,
    bytes: bytes.length,
    sha256,
    durationSeconds: 10,
    refetchedBytes: 0,
  };
}

function videoBehind(url: string): SeededVideo {
  return seededVideo(createHash('sha256').update(url).digest().readUInt32BE(0), 2048);
}
