/**
 * `npm run check:lockfile`: fails for packages that are locked without a hash. Builds for other
 * systems that the registry did not have are only reported; `--release` fails for them too
 * (docs/release.md).
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
