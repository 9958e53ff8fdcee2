/**
 * `npm run check`: runs every static check, also after one has failed. With `--changed`, only the
 * checks of changed files, which take seconds.
 */
import { changedFiles, stepsFor } from './changed.ts';
import { CHECKS, runScripts, runSteps } from './checks.ts';

const passed = process.argv.includes('--changed')
  ? await runSteps(stepsFor(changedFiles()))
  : await runScripts(CHECKS);
process.exitCode = passed.every(Boolean) ? 0 : 1;
