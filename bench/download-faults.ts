/**
 * Compares curl, wget, aria2 and the downloader with a misbehaving server:
 *
 *     npm run bench:faults
 *
 * A raw socket server produces 19 faults for a file of known bytes, with a separate server for each
 * tool. Each tool is run again with its resume option until it reports success, at most four times.
 * Then its file is compared: a tool may give up, but must not report success for a wrong file.
 * Target: Spool saves no wrong file, and gives up only where the server has no correct file.
 *
 * Needs Debian's packages curl, wget and aria2.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FaultServer } from '../test/rigs/fault-server.ts';
import { sha256 } from '../test/rigs/seeded-video.ts';
import { WIRE_FAULTS, type WireFault } from './download/wire-faults.ts';

const run = promisify(execFile);
const MAX_RUNS = 4;
const MAX_RUN_MS = 60_000;
const NAME = 'film.mp4';
const fetchProgram = path.join(import.meta.dirname, 'download', 'fetch.ts');

/** The command by which a tool resumes the download in its folder. */
type Resume = (url: string) => readonly [program: string, ...args: string[]];

const TOOLS: Readonly<Record<string, Resume>> = {
  curl: (url) => ['curl', '-sS', '-f', '-C', '-', '-o', NAME, url],
  wget: (url) => ['wget', '-q', '-c', '-t', '2', url],
  aria2: (url) => ['aria2c', '-q', '-c', '-x1', '-s1', '-m2', '--no-conf', '-o', NAME, url],
  spool: (url) => [process.execPath, fetchProgram, url, path.resolve(NAME)],
};

type Verdict = 'right' | 'error' | 'WRONG';

async function runTool(resume: Resume, fault: WireFault): Promise<Verdict> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'spool-faults-'));
  const server = await FaultServer.start(fault.script);
  try {
    const [program, ...args] = resume(server.url(`/${NAME}`));
    const commandArgs = args.map((arg) =>
      arg === path.resolve(NAME) ? path.join(cwd, NAME) : arg,
    );
    for (let runs = 0; runs < MAX_RUNS; runs += 1) {
      if (!(await succeeds(program, commandArgs, cwd))) continue;
      const file = await readFile(path.join(cwd, NAME)).catch(() => Buffer.alloc(0));
      return fault.expected !== null && sha256(file) === fault.expected.sha256 ? 'right' : 'WRONG';
    }
    return 'error';
  } finally {
    await server.stop();
    await rm(cwd, { recursive: true });
  }
}

async function succeeds(program: string, args: readonly string[], cwd: string): Promise<boolean> {
  try {
    await run(program, args, { cwd, timeout: MAX_RUN_MS });
    return true;
  } catch (error) {
    // The tool is not installed, which says nothing about it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
    return false;
  }
}

const names = Object.keys(TOOLS);
const wrong = new Map(names.map((name) => [name, 0]));
let isMet = true;
console.log(`| #   | fault                                   | ${names.join(' | ')} |`);
console.log(`| --- | --- | ${names.map(() => '---').join(' | ')} |`);
for (const [index, fault] of WIRE_FAULTS.entries()) {
  const verdicts = await Promise.all(Object.values(TOOLS).map((tool) => runTool(tool, fault)));
  console.log(`| ${index + 1} | ${fault.what} | ${verdicts.join(' | ')} |`);
  for (const [tool, verdict] of verdicts.entries()) {
    const name = names[tool] ?? '';
    if (verdict === 'WRONG') wrong.set(name, (wrong.get(name) ?? 0) + 1);
    if (name === 'spool' && verdict !== (fault.expected ? 'right' : 'error')) isMet = false;
  }
}
console.log(`| | a wrong file called a success | ${[...wrong.values()].join(' | ')} |`);
console.log(isMet ? '\nThe target is met.' : '\nThe target is missed.');
if (!isMet) process.exitCode = 1;
