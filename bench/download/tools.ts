import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fetchProgram = path.join(import.meta.dirname, 'fetch.ts');
/** Keeps compiled code between starts, as `bin/spool` does. */
const compileCache = path.join(import.meta.dirname, '../../node_modules/.cache/node');

/** One file to download. */
export interface DownloadTask {
  readonly url: string;
  readonly target: string;
  readonly caFile: string;
}

/** The command line by which a tool downloads a file over one connection. */
export type CommandLine = (task: DownloadTask) => readonly [program: string, ...args: string[]];

/**
 * A tool, followed by `sync` of its file: the other tools stop when the last byte is in the
 * system's cache, and Spool waits until the file is on the disk.
 */
function untilOnDisk(tool: CommandLine): CommandLine {
  return (task) => [
    ...(['sh', '-c', '"$@" && exec sync "$0"'] as const),
    task.target,
    ...tool(task),
  ];
}

const curl: CommandLine = ({ url, target, caFile }) => [
  ...(['curl', '-sS', '-f', '--cacert', caFile, '-o', target, url] as const),
];
const wget: CommandLine = ({ url, target, caFile }) => [
  ...(['wget', '-q', `--ca-certificate=${caFile}`, '-O', target, url] as const),
];
const aria2: CommandLine = ({ url, target, caFile }) => [
  ...(['aria2c', '-q', '-x', '1', '-s', '1'] as const),
  '--no-conf',
  `--ca-certificate=${caFile}`,
  '--allow-overwrite=true',
  '-d',
  path.dirname(target),
  '-o',
  path.basename(target),
  url,
];

export const TOOLS = {
  'curl, cached': curl,
  curl: untilOnDisk(curl),
  wget: untilOnDisk(wget),
  aria2: untilOnDisk(aria2),
  spool: ({ url, target, caFile }) => [
    ...(['env', `NODE_COMPILE_CACHE=${compileCache}`, process.execPath] as const),
    fetchProgram,
    url,
    target,
    caFile,
  ],
} as const satisfies Readonly<Record<string, CommandLine>>;

/** The cost of one download, by GNU time. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak of the resident memory, in MiB. */
  readonly mebibytes: number;
}

/** Runs a tool under GNU time, checks the file's size, and removes the file. */
export async function measure(tool: CommandLine, task: DownloadTask, bytes: number): Promise<Cost> {
  await rm(task.target, { force: true });
  const { stderr } = await run('/usr/bin/time', ['-f', '%e %U %S %M', ...tool(task)]);
  const { size } = await stat(task.target);
  if (size !== bytes) throw new Error(`${size} bytes came instead of ${bytes}.`);
  await rm(task.target);
  const [seconds = 0, user = 0, system = 0, kibibytes = 0] = (
    stderr.trim().split('\n').at(-1) ?? ''
  )
    .split(' ')
    .map(Number);
  return { seconds, cpuSeconds: user + system, mebibytes: kibibytes / 1024 };
}
