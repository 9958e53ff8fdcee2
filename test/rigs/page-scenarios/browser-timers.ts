/** Stands in for Node's, which lets other work of the event loop run. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
