/**
 * `npm test`: everything that is checked before a change is shared, in one command. Installs what
 * tests need from Debian where it may; its last line is `N passed, N failed`.
 */
import { startVitest, type TestCase, type TestModule } from 'vitest/node';
import { CHECKS, runScripts } from './checks.ts';
import { installTestPackages } from './test-packages.ts';

interface Tally {
  passed: number;
  failed: number;
  /** A line for each skipped test, with its reason. */
  readonly skipped: string[];
}

async function main(): Promise<number> {
  const tally: Tally = { passed: 0, failed: 0, skipped: [] };
  const installing = installTestPackages();
  // Before the checks: while it builds, electron-vite writes a temporary file beside the sources.
  countScripts(await runScripts(['build']), tally);
  // Many tests wait for processes: checks take the time that is left, and report when tests have.
  const reports: string[] = [];
  const checks = runScripts(CHECKS, { isBackground: true, report: (text) => reports.push(text) });
  // The other tests still run: most need only Node, and their results say more than a refusal.
  if (!(await installing)) tally.failed += 1;
  await runTests(tally);
  countScripts(await checks, tally);

  process.stdout.write(reports.join(''));
  for (const line of tally.skipped) console.log(`skipped: ${line}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed === 0 ? 0 : 1;
}

function countScripts(passed: readonly boolean[], tally: Tally): void {
  for (const each of passed) {
    if (each) tally.passed += 1;
    else tally.failed += 1;
  }
}

async function runTests(tally: Tally): Promise<void> {
  const vitest = await startVitest([], { watch: false, project: ['!release'] });
  for (const module of vitest.state.getTestModules()) countModule(module, tally);
  // An error that no test caught means that some test did not check what it says.
  tally.failed += vitest.state.getUnhandledErrors().length;
  await vitest.close();
}

function countModule(module: TestModule, tally: Tally): void {
  // A file that could not be loaded has no tests to count, and counts as a failure.
  if (module.errors().length > 0) tally.failed += 1;
  for (const test of module.children.allTests()) countTest(test, tally);
  for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
}

function countTest(test: TestCase, tally: Tally): void {
  const result = test.result();
  switch (result.state) {
    case 'passed':
      tally.passed += 1;
      return;
    case 'failed':
    case 'pending':
      tally.failed += 1;
      return;
    case 'skipped':
      tally.skipped.push(`${test.fullName} (${result.note ?? 'no reason was given'})`);
  }
}

process.exit(await main());
