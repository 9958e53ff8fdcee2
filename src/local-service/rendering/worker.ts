import type { FromWorker, ToWorker } from './worker-messages.ts';

/** How a worker ended unexpectedly. */
export interface WorkerExit {
  /** Its own work ended it: native code crashed, as a hostile image may cause, or memory ran out. */
  readonly crashed: boolean;
  readonly cause: unknown;
}

/** A worker's reports to its pool. */
export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** Called once, and last. */
  readonly onExit: (exit: WorkerExit) => void;
}

/** A process or thread that executes one order at a time. */
export interface RenderWorker {
  post(message: ToWorker): void;
  /** Whether it keeps this process alive. */
  setBusy(busy: boolean): void;
  /** Kills it. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a worker. Throws, or exits before it is ready, when there can be none for now. */
export type StartWorker = (events: WorkerEvents) => RenderWorker;
