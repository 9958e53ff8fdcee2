import type { Writable } from 'node:stream';
import { escapedJson } from '../engine/json.ts';

/** Writes one line for programs. */
export function writeEvent(
  { stdout }: { readonly stdout: Writable },
  event: Readonly<{ event: string }> & Readonly<Record<string, unknown>>,
): void {
  stdout.write(`${escapedJson(event)}\n`);
}
