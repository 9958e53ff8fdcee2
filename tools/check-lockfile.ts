/**
 * `npm run check:lockfile`: every package is locked with its hash. Builds for other systems that the
 * registry at hand does not have are named; `--release` refuses those as well (docs/release.md).
 */
import { readLockfile, unhashedPackages } from './lockfile.ts';

const { optional, required } = unhashedPackages(readLockfile());
const release = process.argv.includes('--release');
for (const name of required) console.error(`${name} is locked without a SHA-512 hash.`);
if (optional.length > 0) {
  const list = release ? `:\n  ${optional.join('\n  ')}` : '; `npm run lockfile` adds them.';
  console.log(`${optional.length} builds for other systems are locked without a hash${list}`);
}
process.exitCode = required.length > 0 || (release && optional.length > 0) ? 1 : 0;
