/** The folder in memory of a run of tests. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';

/** Linux' file system in memory. */
const DISK = '/dev/shm';

/** The name of a run's folder: this, and the id of its process. */
const RUN = 'spool-run-';

/** More than all simultaneous tests write together, including file systems in images. */
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * The environment of tests whose files need not survive a power cut: each commit of a database
 * waits for the disk, and these make tens of thousands. Empty if files cannot be kept in memory.
 */
export function filesInMemory(): Readonly<Record<string, string>> {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, folder]) => folder === DISK);
    removeEndedRuns(DISK);
    const { bavail, bsize } = statfsSync(DISK);
    const free = Math.min(bavail * bsize, freemem());
    // Tests also write and run programs.
    const isFit = mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec');
    return isFit && free >= ENOUGH_BYTES ? { TMPDIR: folderOfRun() } : {};
  } catch {
    return {}; // No Linux.
  }
}

/**
 * Removes the folders of runs that have ended: one that was killed leaves all files of its tests in
 * memory, which would be too little for the next ones.
 */
export function removeEndedRuns(disk: string): void {
  for (const name of readdirSync(disk)) {
    const isEnded = name.startsWith(RUN) && !existsSync(`/proc/${name.slice(RUN.length)}`);
    if (isEnded) rmSync(path.join(disk, name), { recursive: true, force: true });
  }
}

/** Removed when this process ends, unless it is killed. */
function folderOfRun(): string {
  const folder = path.join(DISK, `${RUN}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
