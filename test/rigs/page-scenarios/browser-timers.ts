/** Replaces Node's `setImmediate`, which yields to the event loop. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
