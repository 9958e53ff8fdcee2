/**
 * `npm run test:soak`: the tests of `test/soak`, `test/power` and `test/crash` and the unit test of long
 * texts in their long form, then those of the service on PostgreSQL and the page's tests on slow
 * pages, before a release and by night. `npm test` runs the same files with fewer cases and on fast
 * pages.
 */
import { startVitest } from 'vitest/node';
import { installHeadlessShell, installPackages, missingPackages } from './test-packages.ts';

installHeadlessShell();
const missing = missingPackages();
if (missing.length > 0 && !installPackages(missing)) process.exitCode = 1;

process.env.SPOOL_SOAK = '1';
process.env.SPOOL_SLOW_PAGES = '1';
const vitest = await startVitest([], {
  watch: false,
  project: ['soak', 'power', 'crash', 'page', 'postgres-*'],
});
await vitest.close();
