import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import {
  CommitUncertainError,
  DatabaseUnavailableError,
} from '../../../../src/local-service/database-unavailable.ts';
import {
  BlobDamagedError,
  StorageOutageError,
} from '../../../../src/local-service/storage-errors.ts';
import { studio, type StudioOptions } from '../../../../src/local-service/studio/studio.ts';

/** A page of a studio whose stores fail with this error. */
async function pageAfter(error: Error) {
  const app = fastify();
  onTestFinished(() => app.close());
  const parts = { hasOwnHost: false, sessions: { find: () => Promise.reject(error) } };
  await app.register(studio, parts as unknown as StudioOptions);
  const cookie = `__Host-spool-session=${'x'.repeat(43)}`;
  const { statusCode, body } = await app.inject({ url: '/studio', headers: { cookie } });
  return { statusCode, body };
}

test.each([
  [
    'does not say that nothing was done when a commit may have been',
    new CommitUncertainError(new Error('a secret')),
    503,
    'It is not known whether that worked',
  ],
  [
    'says that the database does not answer',
    new DatabaseUnavailableError(new Error('a secret')),
    503,
    'Its database does not answer. Nothing was lost',
  ],
  [
    'says that files cannot be read for now',
    new StorageOutageError('unreachable', new Error('a secret')),
    503,
    'The files cannot be read for now',
  ],
  [
    'says that a file is damaged, and does not advise to try again',
    new BlobDamagedError('a secret', 'its bytes are others'),
    500,
    'Another attempt does not help.',
  ],
  [
    'reveals nothing of an unexpected error, and does not promise that nothing was lost',
    new Error('a secret'),
    500,
    'Look whether it was done before you try again.',
  ],
])('a page %s', async (_what, error, statusCode, words) => {
  const page = await pageAfter(error);
  expect(page.statusCode).toBe(statusCode);
  expect(page.body).toContain(words);
  expect(page.body).not.toContain('a secret');
});
