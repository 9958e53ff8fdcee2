import { expect, test } from 'vitest';
import type { Failure } from '../../../src/contract/failure.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import type {
  BalanceOutcome,
  ConnectOutcome,
  KeyCheckOutcome,
} from '../../../src/engine/service/outcomes.ts';
import { checkService } from '../../../src/host/check-service.ts';
import { receiveAll } from '../../rigs/receive.ts';

const response = { status: 200, headers: {}, body: '', sentAt: 0, receivedAt: 0 };
const failure: Failure = {
  code: 'service-unreachable',
  ...userMessage('address-not-found', { host: 'video.example.com' }),
};
const untrusted: Failure = { ...failure, untrusted: true };

/** A service that passes every check, but for what is given. */
function serviceWith(
  parts: {
    readonly connect?: ConnectOutcome;
    readonly key?: KeyCheckOutcome;
    readonly balance?: BalanceOutcome;
  } = {},
) {
  const open = { generate: () => Promise.reject(new Error('unused')), close: () => undefined };
  return {
    connect: () =>
      Promise.resolve(parts.connect ?? ({ kind: 'connected', connection: open } as const)),
    checkKey: () => Promise.resolve(parts.key ?? ({ kind: 'accepted', response } as const)),
    balance: () =>
      Promise.resolve(parts.balance ?? ({ kind: 'balance', amount: 12, response } as const)),
  };
}

const CREDITS = { unit: 'credit', currency: null } as const;

/** Each step as the state of its checks: `-` waiting, `…` running, `+` passed, `x` failed. */
async function stepsOf(service: ReturnType<typeof serviceWith>, unit: typeof CREDITS | null) {
  const marks = { waiting: '-', running: '…', passed: '+', failed: 'x' };
  const all = await receiveAll(checkService(service, { host: 'video.example.com', unit }));
  const last = all.at(-1)!;
  return {
    names: last.checks.map(({ check }) => check),
    steps: all.map(({ checks }) => checks.map(({ state }) => marks[state]).join('')),
    last,
  };
}

test('each check runs after the one before it has passed', async () => {
  const { names, steps, last } = await stepsOf(serviceWith(), CREDITS);
  expect(names).toEqual(['address', 'certificate', 'key', 'balance']);
  expect(steps).toEqual(['…---', '++…-', '+++…', '++++']);
  expect(last).toMatchObject({
    errors: [],
    entered: 'accepted',
    failure: null,
    balance: { amount: 12, ...CREDITS },
  });
});

test('a service that reports no balance is not asked for one', async () => {
  const { names, steps, last } = await stepsOf(serviceWith(), null);
  expect(names).toEqual(['address', 'certificate', 'key']);
  expect(steps).toEqual(['…--', '++…', '+++']);
  expect(last.balance).toBeNull();
});

test('the checks after a failed one do not run', async () => {
  const unreached = await stepsOf(
    serviceWith({ connect: { kind: 'not-connected', failure } }),
    CREDITS,
  );
  expect(unreached.steps).toEqual(['…---', 'x---']);
  expect(unreached.last).toMatchObject({ entered: 'unchecked', failure });

  const distrusted = await stepsOf(
    serviceWith({ connect: { kind: 'not-connected', failure: untrusted } }),
    CREDITS,
  );
  expect(distrusted.steps).toEqual(['…---', '+x--']);

  const refused = await stepsOf(
    serviceWith({ key: { kind: 'key-refused', failure, response } }),
    CREDITS,
  );
  expect(refused.steps).toEqual(['…---', '++…-', '++x-']);
  expect(refused.last).toMatchObject({ entered: 'refused', failure });
});

test('a limit of requests does not prove the key, and the line says so', async () => {
  const limited = { ...response, status: 429 };
  const { steps, last } = await stepsOf(
    serviceWith({ key: { kind: 'accepted', response: limited } }),
    null,
  );
  expect(steps.at(-1)).toBe('++x');
  expect(last).toMatchObject({ entered: 'unchecked', failure: { code: 'rate-limited' } });
});

test('a balance that cannot be read is a failed check of an accepted key', async () => {
  const { steps, last } = await stepsOf(
    serviceWith({ balance: { kind: 'balance', amount: null, response } }),
    CREDITS,
  );
  expect(steps.at(-1)).toBe('+++x');
  expect(last).toMatchObject({ entered: 'accepted', failure: { code: 'answer-unreadable' } });
  const broken = await stepsOf(
    serviceWith({ balance: { kind: 'unreachable', failure, response: null } }),
    CREDITS,
  );
  expect(broken.last).toMatchObject({ entered: 'accepted', failure });
});
