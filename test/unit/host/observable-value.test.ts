import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ObservableValue } from '../../../src/host/observable-value.ts';

describe('a value that changes', () => {
  it('is sent at once and after every change, without values that a slow observer missed', async () => {
    const latest = new ObservableValue(1);
    const values = latest.values();
    expect((await values.next()).value).toBe(1);
    const next = values.next();
    latest.set(2);
    expect((await next).value).toBe(2);
    latest.set(3);
    latest.set(4);
    expect((await values.next()).value).toBe(4);
    expect(latest.value).toBe(4);
  });

  it('is not sent any more after the observer stops', async () => {
    const enough = new AbortController();
    const values = new ObservableValue('here').values(enough.signal);
    await values.next();
    const next = values.next();
    enough.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await new ObservableValue('here').values(enough.signal).next()).toMatchObject({
      done: true,
    });
  });

  it('leaves no listener on a signal that outlives the observer', async () => {
    const { signal } = new AbortController();
    const latest = new ObservableValue(1);
    for await (const value of latest.values(signal)) {
      expect(value).toBe(1);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      break;
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
