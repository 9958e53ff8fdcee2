/**
 * Adds to package-lock.json the optional builds for other systems that npm leaves out when the
 * registry at hand does not have them; `npm ci` refuses a lockfile without them. Their versions are
 * the ones that their package pins, and their names say what they are for. Run it after any
 * `npm install` that changed the lockfile.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const FILE = 'package-lock.json';

/** Records, because they keep what they hold in its order. */
const lockfileSchema = z.record(z.string(), z.unknown());
const packagesSchema = z.record(z.string(), z.unknown());

const packageSchema = z.object({
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** An exact version: a range would leave open which build is meant. */
const EXACT = /^\d+\.\d+\.\d+$/;

/** `darwin-arm64`, `linux-x64-musl`, `win32-x64-msvc` and the like, at the end of a package's name. */
const PLATFORM =
  /(?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(?<abi>\w+))?$/;

const lockfile = lockfileSchema.parse(JSON.parse(readFileSync(FILE, 'utf8')));
const packages = packagesSchema.parse(lockfile.packages);
let added = 0;
for (const locked of Object.values(packages)) {
  const { dev, optionalDependencies } = packageSchema.parse(locked);
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
    added += 1;
  }
}
const [root, ...others] = Object.entries(packages);
const sorted = others.toSorted(([a], [b]) => a.localeCompare(b, 'en'));
lockfile.packages = Object.fromEntries(root ? [root, ...sorted] : sorted);
writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(`${FILE}: ${added} builds for other systems added.`);
