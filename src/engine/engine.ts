import type { AddedBatch, BatchOptions, BatchPlan, BatchSource } from '../contract/batch.ts';
import type { Changed } from '../contract/contract.ts';
import type { Job, JobDetails, RemoteStateWord } from '../contract/job.ts';
import type { JobState } from '../contract/job-states.ts';
import type { KeyStatus, PausedPart, Update } from '../contract/summary.ts';
import type { Clock, Random } from './clock.ts';
import type { KeyStore } from './keys/key-store.ts';

/** Where a log line goes; pino's methods fit. Never receives a key or a link's query. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ServiceOptions {
  /** What people call it: “this computer”, “api.example.com”. */
  readonly name: string;
  /** The service's base address, without `/api/v1`. Jobs belong to the origin they were added for. */
  readonly baseUrl: string;
  /** PEM of the one certificate authority to trust instead of the system's (the local service's). */
  readonly ca?: string;
  /** A `host:port` that downloads may come from although it is a private address. */
  readonly allowedDownloadOrigin?: string;
}

/** The account's plan (service-api.md §8.3). */
export interface PlanOptions {
  readonly name: string;
  /** Videos a month; the named plan's own number when left out. */
  readonly limit?: number;
  /** Day from which billing cycles count (Free: the sign-up date), milliseconds since the epoch. */
  readonly anchor: number;
}

export interface EngineOptions {
  /** Absolute path of the folder for the database, its backups and the lock. Made if missing. */
  readonly dataDir: string;
  readonly service: ServiceOptions;
  readonly plan: PlanOptions;
  /** Absolute path of the folder for files of batches that name none. */
  readonly defaultFolder: string;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  /** Files downloaded at the same time, 1 to 8; 3 when left out. */
  readonly transfers?: number;
}

export interface JobFilter {
  readonly batchId?: string | undefined;
  readonly states?: readonly JobState[] | undefined;
  /** Looked for in titles, without regard to case. */
  readonly search?: string | undefined;
  readonly offset: number;
  /** 1 to 1000. */
  readonly limit: number;
}

export type Resolution =
  | { readonly id: string; readonly as: 'made'; readonly remoteId: string }
  | { readonly id: string; readonly as: 'send-again' | 'let-go' };

export interface JobEdit {
  readonly id: string;
  readonly title?: string | undefined;
  readonly request?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The batch engine, method by method what `contract/contract.ts` describes. Failures that a person
 * can meet are thrown as `EngineError`.
 */
export interface Engine {
  /** Ends when `signal` is aborted or the engine is closed. */
  watch(since: number | undefined, signal: AbortSignal): AsyncIterable<Update>;
  listJobs(filter: JobFilter): Promise<{ total: number; jobs: Job[] }>;
  showJob(id: string): Promise<JobDetails>;
  hold(ids: readonly string[]): Promise<Changed>;
  resumeJobs(ids: readonly string[]): Promise<Changed>;
  cancel(ids: readonly string[]): Promise<Changed>;
  retry(ids: readonly string[]): Promise<Changed>;
  retryFailed(batchId: string | undefined, limit: number): Promise<Changed>;
  fetch(ids: readonly string[]): Promise<Changed>;
  move(ids: readonly string[], before: string | null): Promise<Changed>;
  prioritise(ids: readonly string[], priority: number): Promise<Changed>;
  edit(edit: JobEdit): Promise<Job>;
  resolve(resolution: Resolution): Promise<Job>;
  planBatch(source: BatchSource, options: BatchOptions): Promise<BatchPlan>;
  addBatch(source: BatchSource, options: BatchOptions): Promise<AddedBatch>;
  pause(what: PausedPart): Promise<void>;
  resume(): Promise<void>;
  stopBefore(id: string | null): Promise<void>;
  correctQuota(used: number): Promise<void>;
  checkFiles(): Promise<{ missing: number }>;
  teach(word: string, means: RemoteStateWord): Promise<void>;
  setKey(value: string): Promise<KeyStatus>;
  checkKey(): Promise<KeyStatus>;
  forgetKey(): Promise<KeyStatus>;
  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  close(): Promise<void>;
}

/** Takes the data folder's lock, recovers what a crash left, and starts working the queue. */
export declare function openEngine(options: EngineOptions): Promise<Engine>;
