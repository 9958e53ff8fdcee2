import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import {
  LEAST_UPLOAD_RATE,
  limitBodyTime,
  takeUpload,
} from '../../../src/local-service/body-time.ts';
import { ManualClock } from '../../integration/local-service/rig.ts';

const PERIOD_MS = 30_000;
const LEAST = LEAST_UPLOAD_RATE * 30;

/** A request whose bytes arrive when a test says so. */
class FakeRequest extends EventEmitter {
  complete = false;
  readonly socket = { bytesRead: 200, isDestroyed: false, destroy: () => this.#destroy() };
  readonly clock = new ManualClock();
  refusals = 0;

  readonly headers: IncomingMessage['headers'];

  constructor(headers: IncomingMessage['headers'] = { 'content-length': '1000000000' }) {
    super();
    this.headers = headers;
    limitBodyTime(this.#message, {
      periodMs: PERIOD_MS,
      after: this.clock.after,
      refuse: () => (this.refusals += 1),
    });
  }

  takeUpload(): void {
    takeUpload(this.#message);
  }

  receive(bytes: number): void {
    this.socket.bytesRead += bytes;
    this.clock.advance(PERIOD_MS);
  }

  get #message(): IncomingMessage {
    return this as unknown as IncomingMessage;
  }

  #destroy(): void {
    this.socket.isDestroyed = true;
    this.emit('close');
  }
}

// abuse.md 60
test('an upload may take any time in which it makes progress', () => {
  const request = new FakeRequest();
  request.takeUpload();
  for (let period = 0; period < 60; period += 1) request.receive(LEAST);
  expect(request.refusals).toBe(0);
  request.receive(LEAST - 1);
  expect(request.refusals).toBe(1);
});

// abuse.md 60
test.each([{ 'content-length': '9' }, { 'transfer-encoding': 'chunked' }])(
  'any other body is refused after its time, however much arrives (%j)',
  (headers) => {
    const request = new FakeRequest(headers);
    request.receive(LEAST * 10);
    expect(request.refusals).toBe(1);
    expect(request.socket.isDestroyed).toBe(false);
    request.receive(LEAST * 10);
    expect(request.refusals).toBe(1);
    expect(request.socket.isDestroyed).toBe(true);
  },
);

test('a request without a body, or whose body has arrived, is not refused', () => {
  const bodiless = new FakeRequest({});
  bodiless.receive(0);
  const complete = new FakeRequest();
  complete.complete = true;
  complete.receive(0);
  const closed = new FakeRequest();
  closed.emit('close');
  closed.receive(0);
  expect([bodiless, complete, closed].map(({ refusals }) => refusals)).toEqual([0, 0, 0]);
});
