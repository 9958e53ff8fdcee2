import { getEventListeners } from 'node:events';
import { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { exchange, type ExchangeRequest } from '../../../../src/engine/service/exchange.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const REQUEST: ExchangeRequest = {
  method: 'POST',
  path: '/api/v1/video/generate',
  headers: {},
  body: '{}',
  lastOnItsConnection: true,
  headersMs: 1000,
  bodyMs: 1000,
};

/** A dispatcher that a test drives by hand. */
class ManualDispatcher extends Dispatcher {
  handler: Dispatcher.DispatchHandler = {};

  override dispatch(
    _options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.handler = handler;
    return true;
  }

  /** Starts the request; returns whether it may be written. */
  start(): boolean {
    const controller = new ManualController();
    this.handler.onRequestStart?.(controller, {});
    return !controller.aborted;
  }
}

class ManualController implements Dispatcher.DispatchController {
  aborted = false;
  readonly paused = false;
  reason: Error | null = null;

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    throw new Error('An exchange is never paused.');
  }

  resume(): void {
    throw new Error('An exchange is never paused.');
  }
}

test('a request is not written a second time', async () => {
  const dispatcher = new ManualDispatcher();
  const result = exchange(dispatcher, REQUEST, new VirtualClock());

  expect(dispatcher.start()).toBe(true);
  expect(dispatcher.start()).toBe(false);

  dispatcher.handler.onResponseError?.(new ManualController(), new Error('reset'));
  expect(await result).toMatchObject({ kind: 'broken' });
});

test('a request that was stopped while it waited for a connection is not written', async () => {
  const dispatcher = new ManualDispatcher();
  const stop = new AbortController();
  const result = exchange(dispatcher, REQUEST, new VirtualClock(), stop.signal);
  stop.abort();

  expect(await result).toEqual({ kind: 'not-sent', cause: { why: 'stopped' } });
  expect(dispatcher.start()).toBe(false);
});

test('no timer and no listener are left once an exchange is over', async () => {
  const clock = new VirtualClock();
  const dispatcher = new ManualDispatcher();
  const { signal } = new AbortController();
  const result = exchange(dispatcher, REQUEST, clock, signal);
  dispatcher.start();
  dispatcher.handler.onResponseStart?.(new ManualController(), 200, {});
  dispatcher.handler.onResponseEnd?.(new ManualController(), {});

  expect(await result).toMatchObject({ kind: 'answered' });
  expect(clock.sleeping).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the innermost of nested errors is reported', async () => {
  const dispatcher = new ManualDispatcher();
  const result = exchange(dispatcher, REQUEST, new VirtualClock());
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  dispatcher.handler.onResponseError?.(
    new ManualController(),
    new AggregateError([refused, refused], 'all addresses failed'),
  );

  expect(await result).toEqual({
    kind: 'not-sent',
    cause: { why: 'connection', code: 'ECONNREFUSED' },
  });
});
