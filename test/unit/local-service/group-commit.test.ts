import { expect, onTestFinished, test, vi } from 'vitest';
import {
  CommitUncertainError,
  DatabaseUnavailableError,
} from '../../../src/local-service/database-unavailable.ts';
import {
  GroupCommit,
  type GroupCommitOptions,
  SLOW_MS,
} from '../../../src/local-service/postgres/group-commit.ts';

/** Transactions that a test ends, by default the one that began first. */
class Transactions {
  readonly begun: (readonly string[])[] = [];
  readonly #ends: PromiseWithResolvers<undefined>[] = [];

  readonly commit = async (items: readonly string[]): Promise<readonly string[]> => {
    const end = Promise.withResolvers<undefined>();
    this.begun.push(items);
    this.#ends.push(end);
    await end.promise;
    return items.map((item) => `${item} done`);
  };

  /** @param which index among the running transactions */
  async end(error?: Error, which = 0): Promise<void> {
    const [end] = this.#ends.splice(which, 1);
    if (end === undefined) throw new Error('No such transaction runs.');
    if (error) end.reject(error);
    else end.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function groupsOf(options: Partial<GroupCommitOptions<string, string>> = {}) {
  const transactions = new Transactions();
  const groups = new GroupCommit({ commit: transactions.commit, maxItems: 10, ...options });
  return { transactions, groups };
}

/** Outcomes, or the errors in their place. */
async function outcomesOf(runs: readonly Promise<string>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(runs);
  return settled.map((each): unknown => (each.status === 'fulfilled' ? each.value : each.reason));
}

test('commits items together that arrive during a transaction', async () => {
  const { transactions, groups } = groupsOf();
  const runs = ['a', 'b', 'c'].map((item) => groups.run(item));
  expect(transactions.begun).toEqual([['a']]);
  await transactions.end();
  expect(transactions.begun).toEqual([['a'], ['b', 'c']]);
  await transactions.end();
  expect(await outcomesOf(runs)).toEqual(['a done', 'b done', 'c done']);
  const last = groups.run('d');
  await transactions.end();
  expect(await last).toBe('d done');
});

test('limits the items of a transaction, but commits at least one', async () => {
  const { transactions, groups } = groupsOf({
    maxItems: 3,
    size: { of: (item) => item.length, max: 4 },
  });
  const items = ['-', 'aa', 'bb', 'c', 'too large', 'd', 'e', 'f', 'g'];
  const runs = items.map((item) => groups.run(item));
  for (let n = 0; n < 6; n += 1) await transactions.end();
  expect(transactions.begun).toEqual([
    ['-'],
    ['aa', 'bb'],
    ['c'],
    ['too large'],
    ['d', 'e', 'f'],
    ['g'],
  ]);
  await Promise.all(runs);
});

test('retries items one by one when their transaction fails', async () => {
  const { transactions, groups } = groupsOf();
  const outcomes = outcomesOf(['-', 'a', 'bad', 'b'].map((item) => groups.run(item)));
  await transactions.end();
  await transactions.end(new Error('refused with the others'));
  await transactions.end();
  const refused = new Error('refused');
  await transactions.end(refused);
  await transactions.end();
  expect(await outcomes).toEqual(['- done', 'a done', refused, 'b done']);
  expect(transactions.begun).toEqual([['-'], ['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

test('begins a second transaction beside a slow one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { transactions, groups } = groupsOf();
  const runs = ['stuck', 'a', 'b'].map((item) => groups.run(item));
  await vi.advanceTimersByTimeAsync(SLOW_MS - 1);
  expect(transactions.begun).toEqual([['stuck']]);
  await vi.advanceTimersByTimeAsync(1);
  expect(transactions.begun).toEqual([['stuck'], ['a', 'b']]);
  // No third one, however long both take.
  runs.push(groups.run('c'));
  await vi.advanceTimersByTimeAsync(10 * SLOW_MS);
  expect(transactions.begun).toHaveLength(2);
  await transactions.end(undefined, 1);
  expect(transactions.begun.slice(2)).toEqual([['c']]);
  await transactions.end(undefined, 1);
  await transactions.end();
  expect(await outcomesOf(runs)).toEqual(['stuck done', 'a done', 'b done', 'c done']);
  expect(vi.getTimerCount()).toBe(0);
});

test('retries the items of a slow transaction one by one when it fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { transactions, groups } = groupsOf();
  const outcomes = outcomesOf(['-', 'a', 'b'].map((item) => groups.run(item)));
  await transactions.end();
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  await transactions.end(new Error('refused with the others'));
  await transactions.end();
  await transactions.end();
  expect(await outcomes).toEqual(['- done', 'a done', 'b done']);
});

test('reports an outage to all queued items, none of which can have committed', async () => {
  const { transactions, groups } = groupsOf({ maxItems: 2 });
  const outcomes = outcomesOf(['a', 'b', 'c', 'd', 'e'].map((item) => groups.run(item)));
  await transactions.end();
  const uncertain = new CommitUncertainError(new Error('connection lost'));
  await transactions.end(uncertain);
  const [first, second, third, ...waiting] = await outcomes;
  expect([first, second, third]).toEqual(['a done', uncertain, uncertain]);
  expect(waiting).toHaveLength(2);
  for (const error of waiting) {
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(error).not.toBeInstanceOf(CommitUncertainError);
  }
  // The next item is tried again.
  const next = groups.run('f');
  await transactions.end();
  expect(await next).toBe('f done');
});

test('reports an outage to the rest of a group that is retried one by one', async () => {
  const { transactions, groups } = groupsOf({ maxItems: 4 });
  const outcomes = outcomesOf(['-', 'a', 'b', 'c', 'd', 'e'].map((item) => groups.run(item)));
  await transactions.end();
  await transactions.end(new Error('refused with the others'));
  await transactions.end();
  const uncertain = new CommitUncertainError(new Error('connection lost'));
  await transactions.end(uncertain);
  const [, first, second, ...others] = await outcomes;
  expect([first, second]).toEqual(['a done', uncertain]);
  expect(others).toHaveLength(3);
  for (const error of others) {
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(error).not.toBeInstanceOf(CommitUncertainError);
  }
  expect(transactions.begun).toEqual([['-'], ['a', 'b', 'c', 'd'], ['a'], ['b']]);
});
