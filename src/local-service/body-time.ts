/** Limits how long the body of a request may take to arrive. */
import type { IncomingMessage } from 'node:http';
import type { After } from './clock.ts';

/** Of an upload, in bytes per second: less than a memory card or a disk of a slow network gives. */
export const LEAST_UPLOAD_RATE = 500_000;

const uploads = new WeakSet<IncomingMessage>();

/**
 * From now on, the request may take longer as long as it brings {@link LEAST_UPLOAD_RATE} in every
 * period. For large files of an account that has been authenticated, and whose bodies are counted.
 */
export function takeUpload(request: IncomingMessage): void {
  uploads.add(request);
}

export interface BodyTimeOptions {
  /** A body that is not complete after this time is refused, unless it is an upload. */
  readonly periodMs: number;
  readonly after: After;
  /** Answers, and ends the connection: it is destroyed if it is still open a period later. */
  readonly refuse: () => void;
}

/** Begins with the end of the request's headers. Ends with the request. */
export function limitBodyTime(
  request: IncomingMessage,
  { periodMs, after, refuse }: BodyTimeOptions,
): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const least = (LEAST_UPLOAD_RATE * periodMs) / 1000;
  let seen = socket.bytesRead;
  let timer = after(periodMs, check);
  request.once('close', () => timer[Symbol.dispose]());

  function check(): void {
    if (request.complete) return;
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    const isOnTime = uploads.has(request) && arrived >= least;
    if (!isOnTime) refuse();
    timer = after(periodMs, isOnTime ? check : () => socket.destroy());
  }
}
