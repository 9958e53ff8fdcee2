import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Why a worker ended. */
export interface WorkerExit {
  /** The order caused it: native code crashed, as on a hostile image, or memory ran out. */
  readonly crashed: boolean;
  readonly cause: unknown;
}

/** Called by a worker. */
export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** Called once, after the last message. */
  readonly onExit: (exit: WorkerExit) => void;
}

/** A process or thread that executes one order at a time. */
export interface RenderWorker {
  post(message: ToWorker): void;
  /** A busy worker keeps this process alive. */
  setBusy(busy: boolean): void;
  /** Resolves when the worker has ended. */
  kill(): Promise<void>;
}

/** Starts a worker. If that fails, it throws, or the worker exits before `ready`. */
export type StartWorker = (events: WorkerEvents) => RenderWorker;
