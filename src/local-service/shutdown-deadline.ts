/** Half of it is for running requests (`server.ts`). */
const SHUTDOWN_MS = 10_000;

/**
 * Limits the time that stopping this process takes, whatever it waits for: a database, a store, or
 * the reader of its output. Nothing is lost: every state is as after a power cut. SIGKILL, because
 * an exit would wait for the same output.
 */
export function beginShutdownDeadline(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), SHUTDOWN_MS).unref();
}
