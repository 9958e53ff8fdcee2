/** What package-lock.json says of the packages that `npm ci` installs. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const LOCKFILE = 'package-lock.json';

/** A record, because it keeps the order of the packages. */
const lockfileSchema = z.looseObject({ packages: z.record(z.string(), z.unknown()) });

const packageSchema = z.looseObject({
  /** Its name in the registry, if it is installed under another one (an alias). */
  name: z.string().optional(),
  version: z.string().optional(),
  /** A hash of the package's archive, in the form of Subresource Integrity. */
  integrity: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  /** Whether it is a folder of this repository. */
  link: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

export type Lockfile = z.infer<typeof lockfileSchema>;
export type LockedPackage = z.infer<typeof packageSchema>;

export function readLockfile(text = readFileSync(LOCKFILE, 'utf8')): Lockfile {
  return lockfileSchema.parse(JSON.parse(text));
}

/** Every entry by its place in the tree, such as `node_modules/a/node_modules/b`. */
export function lockedPackages({ packages }: Lockfile): [place: string, LockedPackage][] {
  return Object.entries(packages).map(([place, value]) => [place, packageSchema.parse(value)]);
}

const INSTALLED = /(?:^|\/)node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)$/;

/** `name@version` as a registry is asked for it; nothing for folders of this repository. */
export function specifier(place: string, locked: LockedPackage): string | undefined {
  const name = INSTALLED.exec(place)?.groups?.name;
  if (name === undefined || locked.link === true) return undefined;
  return `${locked.name ?? name}@${locked.version ?? ''}`;
}

/** Packages at the top of the tree that only development needs, so that they are not shipped. */
export function toolNames(lockfile: Lockfile): string[] {
  return lockedPackages(lockfile)
    .filter(([, { dev }]) => dev === true)
    .map(([place]) => place.replace(/^node_modules\//, ''))
    .filter((name) => !name.includes('node_modules/'));
}

interface Unhashed {
  /** Optional builds that the registry did not have when they were locked. */
  readonly optional: string[];
  readonly required: string[];
}

/** Packages that `npm ci` installs without comparing them with a hash that was committed. */
export function unhashedPackages(lockfile: Lockfile): Unhashed {
  const unhashed: Unhashed = { optional: [], required: [] };
  for (const [place, locked] of lockedPackages(lockfile)) {
    const name = specifier(place, locked);
    // npm also accepts SHA-1, for which two archives with the same hash can be made.
    if (name === undefined || locked.integrity?.startsWith('sha512-') === true) continue;
    const missing = locked.optional === true && locked.integrity === undefined;
    unhashed[missing ? 'optional' : 'required'].push(name);
  }
  return unhashed;
}
