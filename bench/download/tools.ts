import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fetchProgram = path.join(import.meta.dirname, 'fetch.ts');

/** One file to be fetched. */
export interface Errand {
  readonly url: string;
  readonly target: string;
  readonly caFile: string;
}

/** The command line by which a tool fetches a file over one connection. */
export type CommandLine = (errand: Errand) => readonly [program: string, ...args: string[]];

export const TOOLS: Readonly<Record<'curl' | 'wget' | 'aria2' | 'spool', CommandLine>> = {
  curl: ({ url, target, caFile }) => ['curl', '-sS', '-f', '--cacert', caFile, '-o', target, url],
  wget: ({ url, target, caFile }) => [
    'wget',
    '-q',
    `--ca-certificate=${caFile}`,
    '-O',
    target,
    url,
  ],
  aria2: ({ url, target, caFile }) => [
    ...(['aria2c', '-q', '-x', '1', '-s', '1'] as const),
    ...['--no-conf', `--ca-certificate=${caFile}`, '--allow-overwrite=true'],
    ...['-d', path.dirname(target), '-o', path.basename(target), url],
  ],
  spool: ({ url, target, caFile }) => [process.execPath, fetchProgram, url, target, caFile],
};

/** What one fetch took, as the system counted it. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most memory that was resident, in MiB. */
  readonly mebibytes: number;
}

/** Runs a tool under GNU time, makes sure that the whole file came, and removes it. */
export async function measure(tool: CommandLine, errand: Errand, bytes: number): Promise<Cost> {
  await rm(errand.target, { force: true });
  const { stderr } = await run('/usr/bin/time', ['-f', '%e %U %S %M', ...tool(errand)]);
  const { size } = await stat(errand.target);
  if (size !== bytes) throw new Error(`${size} bytes came instead of ${bytes}.`);
  await rm(errand.target);
  const [seconds = 0, user = 0, system = 0, kibibytes = 0] = (
    stderr.trim().split('\n').at(-1) ?? ''
  )
    .split(' ')
    .map(Number);
  return { seconds, cpuSeconds: user + system, mebibytes: kibibytes / 1024 };
}
