/**
 * `npm run lockfile`: adds to package-lock.json the optional builds for other systems that npm
 * leaves out when its registry does not have them, since `npm ci` refuses a lockfile without them.
 * The package that needs a build pins its version; the build's name says which system it is for. It
 * also adds hashes of packages that the registry has by now. Run it after every `npm install` that
 * changed the lockfile, and against the public registry before a release.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { LOCKFILE, lockedPackages, readLockfile, specifier } from './lockfile.ts';

/** An exact version: a range would leave open which build is meant. */
const EXACT = /^\d+\.\d+\.\d+$/;

/** `darwin-arm64`, `linux-x64-musl`, `win32-x64-msvc` and the like, at the end of a package's name. */
const PLATFORM =
  /(?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(?<abi>\w+))?$/;

const lockfile = readLockfile();
const { packages, ...head } = lockfile;
let builds = 0;
for (const [, { dev, optionalDependencies }] of lockedPackages(lockfile)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    const platform = PLATFORM.exec(name)?.groups;
    if (packages[place] || !platform || !EXACT.test(version)) continue;
    const { os = '', cpu = '', abi = '' } = platform;
    const libc = abi.startsWith('musl') ? ['musl'] : abi.startsWith('gnu') ? ['glibc'] : [];
    packages[place] = {
      version,
      cpu: [cpu],
      ...(dev === true ? { dev } : {}),
      ...(os === 'linux' ? { libc } : {}),
      optional: true,
      os: [os],
    };
    builds += 1;
  }
}

let hashes = 0;
for (const [place, locked] of lockedPackages(lockfile)) {
  const name = specifier(place, locked);
  if (name === undefined || locked.integrity !== undefined) continue;
  const integrity = registryHash(name);
  if (integrity === undefined) continue;
  // As it was read: the parsed entry has defaults that npm does not write.
  packages[place] = { version: locked.version, integrity, ...Object(packages[place]) };
  hashes += 1;
}

const [root, ...others] = Object.entries(packages);
const sorted = others.toSorted(([a], [b]) => a.localeCompare(b, 'en'));
const complete = { ...head, packages: Object.fromEntries(root ? [root, ...sorted] : sorted) };
writeFileSync(LOCKFILE, `${JSON.stringify(complete, null, 2)}\n`);
console.log(`${LOCKFILE}: ${builds} builds for other systems and ${hashes} hashes added.`);

/** The hash that the registry gives for a package; nothing if it does not have the package. */
function registryHash(name: string): string | undefined {
  const { stdout } = spawnSync('npm', ['view', name, 'dist.integrity'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return /^sha512-\S+$/m.exec(stdout)?.[0];
}
