/**
 * `npm run check`: everything static, all of it even when one finds something. With `--changed`, what
 * can be said of changed files alone within seconds.
 */
import { changedFiles, stepsFor } from './changed.ts';
import { CHECKS, runScripts, runSteps } from './checks.ts';

const passed = process.argv.includes('--changed')
  ? await runSteps(stepsFor(changedFiles()))
  : await runScripts(CHECKS);
process.exitCode = passed.every(Boolean) ? 0 : 1;
