import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** Linux' file system in memory. */
const FOLDER = '/dev/shm';

/**
 * More than all tests that run at the same time write together, file systems in images included.
 */
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * The environment of tests whose files need not survive a power cut: each commit of a database
 * waits for the disk, and these make tens of thousands. Empty where files cannot be kept in memory.
 */
export function filesInMemory(): Readonly<Record<string, string>> {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, folder]) => folder === FOLDER);
    const { bavail, bsize } = statfsSync(FOLDER);
    const free = Math.min(bavail * bsize, freemem());
    // Tests write programs, too, and start them.
    const isFit = mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec');
    return isFit && free >= ENOUGH_BYTES ? { TMPDIR: FOLDER } : {};
  } catch {
    return {}; // No Linux.
  }
}
