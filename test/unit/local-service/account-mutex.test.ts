import { expect, test } from 'vitest';
import {
  CommitUncertainError,
  DatabaseUnavailableError,
} from '../../../src/local-service/database-unavailable.ts';
import { AccountMutex } from '../../../src/local-service/postgres/account-mutex.ts';

test('runs one task at a time for an account, in the order of the calls, and other accounts at once', async () => {
  const mutex = new AccountMutex();
  const events: string[] = [];
  const ends = [0, 1, 2].map(() => Promise.withResolvers<undefined>());
  const work = (name: string, index: number) => async () => {
    events.push(`${name} begins`);
    await ends[index]!.promise;
    events.push(`${name} ends`);
    return name;
  };
  const runs = [
    mutex.run(1, work('first', 0)),
    mutex.run(1, work('second', 1)),
    mutex.run(2, work('other', 2)),
  ];
  for (const { resolve } of ends.toReversed()) resolve(undefined);
  expect(await Promise.all(runs)).toEqual(['first', 'second', 'other']);
  expect(events.filter((event) => !event.startsWith('other'))).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
  ]);
  expect(events.indexOf('other begins')).toBeLessThan(events.indexOf('first ends'));
});

test('continues after a task that failed', async () => {
  const mutex = new AccountMutex();
  const failed = mutex.run(1, () => Promise.reject(new Error('broken')));
  const next = mutex.run(1, () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('reports an outage to all queued tasks, none of which can have committed', async () => {
  const mutex = new AccountMutex();
  const uncertain = new CommitUncertainError(new Error('connection lost'));
  const first = mutex.run(1, () => Promise.reject(uncertain));
  let begun = 0;
  const waiting = [1, 2, 3].map(() => mutex.run(1, () => Promise.resolve((begun += 1))));
  const outcomes = await Promise.allSettled(waiting);
  await expect(first).rejects.toBe(uncertain);
  for (const outcome of outcomes) {
    const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
    expect(reason).toBeInstanceOf(DatabaseUnavailableError);
    expect(reason).not.toBeInstanceOf(CommitUncertainError);
  }
  expect(begun).toBe(0);
  expect(await mutex.run(1, () => Promise.resolve('back'))).toBe('back');
});
