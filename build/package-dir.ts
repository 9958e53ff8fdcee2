/**
 * `npm run package:dir`: packages the app for this system into the folder `dist`, and checks the
 * package's contents.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readLockfile, toolNames } from '../tools/lockfile.ts';
import { packageProblems, fuseProblems, listArchive } from './package-contents.ts';
import { build, packageFolder, REPOSITORY, updateSource } from './packager.ts';

const ownSchema = z.object({
  version: z.string(),
});

const text = readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8');
const own = ownSchema.parse(JSON.parse(text));
const updates = updateSource(process.env);
build();
const packaged = await packageFolder(path.join(REPOSITORY, 'dist'), updates);
const files = listArchive(packaged.archive);
const problems = [
  ...packageProblems(files, toolNames(readLockfile())),
  ...(packaged.executable === null ? [] : fuseProblems(readFileSync(packaged.executable))),
];
for (const problem of problems) console.error(`✕ ${problem}`);
console.log(
  `${packaged.isReal ? 'Electron' : 'A stand-in for Electron'} with Spool ${own.version}: ` +
    `${files.length} files of ${megabytes(files)}, ` +
    `${megabytes(files.filter((file) => file.unpacked))} of them unpacked; ` +
    `updates ${updates === null ? 'are left out' : `come from ${updates.url}`}.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function megabytes(some: readonly { readonly bytes: number }[]): string {
  return `${(some.reduce((total, { bytes }) => total + bytes, 0) / 1e6).toFixed(1)} MB`;
}
