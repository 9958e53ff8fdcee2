import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** Linux' file system in memory. */
const FOLDER = '/dev/shm';

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
      .find(([, folder]) => folder === FOLDER);
    const { bavail, bsize } = statfsSync(FOLDER);
    const free = Math.min(bavail * bsize, freemem());
    // Tests also write and run programs.
    const isFit = mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec');
    return isFit && free >= ENOUGH_BYTES ? { TMPDIR: FOLDER } : {};
  } catch {
    return {}; // No Linux.
  }
}
