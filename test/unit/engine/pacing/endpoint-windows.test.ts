import { describe, expect, it } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { EndpointWindows } from '../../../../src/engine/pacing/endpoint-windows.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import {
  headersOf,
  isDocumented,
  limitsOf,
  windowsOf,
  type ServiceLimits,
} from '../../../../src/engine/pacing/service-limits.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;
const DOCUMENTED = limitsOf(DOCUMENTED_API);

/** A limit of three a minute, and five an hour that it shares with other endpoints. */
function endpoint(limits: Partial<ServiceLimits> = {}) {
  const all: ServiceLimits = {
    windows: [
      { endpoint: 'all', count: 5, perMs: 60 * MINUTE },
      { endpoint: 'generate', count: 3, perMs: MINUTE },
    ],
    concurrent: null,
    quota: null,
    headers: [],
    ...limits,
  };
  const [first, ...others] = windowsOf(all, 'generate').map((each, index) => ({
    name: each.endpoint,
    window: new RateWindow({ limit: each.count, windowMs: each.perMs }),
    headers: headersOf(all, each, index === 0),
  }));
  return new EndpointWindows([first!, ...others]);
}

const response = (status: number, headers: Readonly<Record<string, string>> = {}, at = NOW) => ({
  status,
  body: undefined,
  sentAt: at,
  receivedAt: at,
  header: (name: string) => ({ date: new Date(at).toUTCString(), ...headers })[name],
});

describe('windows of an endpoint', () => {
  it('allow a request when its own and the shared one have room', () => {
    const windows = endpoint();
    const send = (at: number) => {
      expect(windows.wait(at)).toBe(0);
      windows.answered(windows.reserve(at), response(200, {}, at));
    };
    for (let n = 0; n < 3; n += 1) send(NOW);
    expect(windows.wait(NOW)).toBeGreaterThanOrEqual(MINUTE);
    expect(windows.wait(NOW)).toBeLessThan(2 * MINUTE);
    for (let n = 0; n < 2; n += 1) send(NOW + 2 * MINUTE);
    expect(windows.wait(NOW + 4 * MINUTE)).toBeGreaterThan(50 * MINUTE);
    expect(windows.view(NOW + 4 * MINUTE)).toMatchObject({ limit: 5, windowMs: 60 * MINUTE });
  });

  it('release a request that was never sent', () => {
    const windows = endpoint();
    windows.release(windows.reserve(NOW));
    for (const { window } of windows.windows) expect(window.state.charges).toEqual([]);
  });

  it('read the headers that are named for each of them', () => {
    const windows = endpoint({
      headers: [
        { name: 'X-Left', means: 'remaining', endpoint: null },
        { name: 'X-Left-All', means: 'remaining', endpoint: 'all' },
      ],
    });
    windows.answered(windows.reserve(NOW), response(200, { 'x-left': '2', 'x-left-all': '7' }));
    const [own, shared] = windows.windows;
    expect(own.window.view(NOW).remaining).toBe(2);
    expect(shared!.window.view(NOW)).toMatchObject({ remaining: 7, limit: 8 });
  });

  it('apply a 429 to the window whose headers say that nothing is left', () => {
    const windows = endpoint({
      headers: [
        { name: 'x-left', means: 'remaining', endpoint: null },
        { name: 'x-left-all', means: 'remaining', endpoint: 'all' },
      ],
    });
    const headers = { 'x-left': '2', 'x-left-all': '0', 'retry-after': '600' };
    windows.answered(windows.reserve(NOW), response(429, headers));
    const [own, shared] = windows.windows;
    expect(own.window.wait(NOW)).toBe(0);
    expect(shared!.window.wait(NOW)).toBeGreaterThanOrEqual(10 * MINUTE);
  });
});

describe('windows of a service', () => {
  it('are the documented ones of the documented API', () => {
    for (const each of ['generate', 'status', 'download'] as const) {
      const [window, ...others] = windowsOf(DOCUMENTED, each);
      expect(others).toEqual([]);
      expect(isDocumented(window!)).toBe(true);
      expect(headersOf(DOCUMENTED, window!, true)).toMatchObject({
        remaining: ['x-ratelimit-remaining'],
        reset: ['x-ratelimit-reset'],
      });
    }
  });

  it('have a cautious default where the profile names none', () => {
    const none = { ...DOCUMENTED, windows: [] };
    expect(windowsOf(none, 'generate')).toEqual([
      { endpoint: 'generate', count: 60, perMs: MINUTE },
    ]);
  });

  it('ask for no status more often than the documented API allows', () => {
    const windows = (count: number, perMs: number) =>
      windowsOf({ ...DOCUMENTED, windows: [{ endpoint: 'all', count, perMs }] }, 'status');
    expect(windows(30, 10_000)).toEqual([
      { endpoint: 'all', count: 30, perMs: 10_000 },
      { endpoint: 'status', count: 60, perMs: MINUTE },
    ]);
    expect(windows(30, MINUTE)).toHaveLength(1);
  });

  it('cover a part of a window that allows more requests than can be stored', () => {
    const many = { endpoint: 'generate', count: 1_000_000, perMs: 86_400_000 } as const;
    const [window] = windowsOf({ ...DOCUMENTED, windows: [many] }, 'generate');
    expect(window!.count).toBeLessThanOrEqual(2000);
    expect(window!.count / window!.perMs).toBeCloseTo(many.count / many.perMs);
  });
});
