/**
 * `npm run test:soak`, before a release and by night: runs the tests of `test/soak`, `test/power`
 * and `test/crash`, of full disks, and some unit tests in their long form; the tests of the service
 * on PostgreSQL; the page's tests on slow pages, with more window sizes and with all views in dark
 * colours; and `test/release`. `npm test` runs the same files with fewer cases and on fast pages,
 * and `test/release` not at all.
 */
import { startVitest } from 'vitest/node';
import { installTestPackages } from './test-packages.ts';

if (!(await installTestPackages())) process.exitCode = 1;

process.env.SPOOL_SOAK = '1';
process.env.SPOOL_SLOW_PAGES = '1';
const vitest = await startVitest([], {
  watch: false,
  project: ['soak', 'power', 'crash', 'disk', 'page', 'postgres-*', 'release'],
});
await vitest.close();
