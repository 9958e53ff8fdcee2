import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Why a worker ended. */
export interface WorkerExit {
  /** Its order ended it: native code crashed, as a hostile image can cause, or memory ran out. */
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

/** Starts a worker. When none can be started for now, throws, or the worker exits before `ready`. */
export type StartWorker = (events: WorkerEvents) => RenderWorker;
