import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserEnvironment } from '../../../src/renderer/browser-environment.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The environment of a page without content. */
function environment(changes: Partial<Window> = {}) {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const page = Object.assign(new EventTarget(), {
    document,
    localStorage: { getItem: () => null, setItem: () => undefined },
    navigator: { languages: ['en'], userAgent: 'X11; Linux' },
    location: { search: '' },
  });
  // A property of the window may be a getter.
  Object.defineProperties(page, Object.getOwnPropertyDescriptors(changes));
  return browserEnvironment(page as unknown as Window, {
    connectionLoss: () => Promise.resolve('unknown'),
    continueWith: () => undefined,
  });
}

describe('a wait', () => {
  it('ends after its time, or as soon as it is aborted', async () => {
    const page = environment();
    const stop = new AbortController();
    let ended = 0;
    void page.wait(3000, new AbortController().signal).then(() => (ended += 1));
    void page.wait(9000, stop.signal).then(() => (ended += 1));
    await vi.advanceTimersByTimeAsync(2999);
    expect(ended).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBe(1);
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin when it is aborted already', async () => {
    let isOver = false;
    void environment()
      .wait(3000, AbortSignal.abort())
      .then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no listener, however often a page reconnects', async () => {
    const page = environment();
    const { signal } = new AbortController();
    for (let count = 0; count < 5; count += 1) {
      const waiting = page.wait(3000, signal);
      await vi.advanceTimersByTimeAsync(3000);
      await waiting;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('storage', () => {
  it('lasts as long as the page where the browser blocks it', () => {
    const { storage } = environment({
      get localStorage(): Storage {
        throw new DOMException('Access is denied.', 'SecurityError');
      },
    });
    expect(storage.getItem('theme')).toBe(null);
    storage.setItem('theme', 'dark');
    expect(storage.getItem('theme')).toBe('dark');
  });

  it('keeps a new value although it is full', () => {
    const stored = new Map([['theme', 'dark']]);
    const localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: () => {
        throw new DOMException('It is full.', 'QuotaExceededError');
      },
    } as unknown as Storage;
    const { storage } = environment({ localStorage });
    storage.setItem('theme', 'light');
    expect(storage.getItem('theme')).toBe('light');
  });
});
