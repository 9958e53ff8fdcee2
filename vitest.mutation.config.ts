import { defineConfig } from 'vitest/config';

/**
 * For `npm run mutate`, which says which tests there are. They run without the look at what they leave
 * open: it waits ten seconds for each that does.
 */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.SPOOL_MUTATION_TESTS ?? '[]') as string[],
    testTimeout: 60_000,
  },
});
