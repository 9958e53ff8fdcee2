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

/** A dispatcher whose every move a test makes by hand. */
class HandDispatcher extends Dispatcher {
  handler: Dispatcher.DispatchHandler = {};

  override dispatch(
    _options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.handler = handler;
    return true;
  }

  /** Asks for leave to write the request; true when it was given. */
  start(): boolean {
    const controller = new HandController();
    this.handler.onRequestStart?.(controller, {});
    return !controller.aborted;
  }
}

class HandController implements Dispatcher.DispatchController {
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

test('a request that a dispatcher wants to write a second time is not written', async () => {
  const dispatcher = new HandDispatcher();
  const result = exchange(dispatcher, REQUEST, new VirtualClock());

  expect(dispatcher.start()).toBe(true);
  expect(dispatcher.start()).toBe(false);

  dispatcher.handler.onResponseError?.(new HandController(), new Error('reset'));
  expect(await result).toMatchObject({ kind: 'broken' });
});

test('a request that was stopped while it waited for a connection is not written', async () => {
  const dispatcher = new HandDispatcher();
  const stop = new AbortController();
  const result = exchange(dispatcher, REQUEST, new VirtualClock(), stop.signal);
  stop.abort();

  expect(await result).toEqual({ kind: 'not-sent', cause: { why: 'stopped' } });
  expect(dispatcher.start()).toBe(false);
});

test('nothing waits on the clock once an exchange is over', async () => {
  const clock = new VirtualClock();
  const dispatcher = new HandDispatcher();
  const result = exchange(dispatcher, REQUEST, clock);
  dispatcher.start();
  dispatcher.handler.onResponseStart?.(new HandController(), 200, {});
  dispatcher.handler.onResponseEnd?.(new HandController(), {});

  expect(await result).toMatchObject({ kind: 'answered' });
  expect(clock.sleeping).toBe(0);
});

test('the innermost of nested errors names the trouble', async () => {
  const dispatcher = new HandDispatcher();
  const result = exchange(dispatcher, REQUEST, new VirtualClock());
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  dispatcher.handler.onResponseError?.(
    new HandController(),
    new AggregateError([refused, refused], 'all addresses failed'),
  );

  expect(await result).toEqual({
    kind: 'not-sent',
    cause: { why: 'connection', code: 'ECONNREFUSED' },
  });
});
