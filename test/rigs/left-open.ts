import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/**
 * For Vitest's `setupFiles`. Fails a test that leaves a process, a server, a timer or a file open,
 * or a changed environment variable, and a file whose tests do so together: another file may run in
 * the same process.
 *
 * It does not detect resources of other processes, sockets that belong to no server, or timers that
 * do not keep the process alive (`unref`).
 */

/** How long resources may take to close after a test: processes end late on a busy machine. */
const CLOSE_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/**
 * From `process.getActiveResourcesInfo()`, which does not distinguish a server's pipe from others.
 */
const KINDS = ['TCPServerWrap', 'Timeout', 'Immediate', 'FSEventWrap'];

/** How often each resource is open. */
type ResourceCounts = ReadonlyMap<string, number>;

/** The open resources of this process, its environment variables and its children. */
export function openResources(): ResourceCounts {
  const counts = new Map<string, number>();
  const count = (thing: string): void => void counts.set(thing, (counts.get(thing) ?? 0) + 1);
  for (const kind of process.getActiveResourcesInfo()) if (KINDS.includes(kind)) count(kind);
  for (const [name, value] of Object.entries(process.env)) count(`variable ${name}=${value}`);
  if (process.platform === 'linux') {
    const open = descriptors();
    for (const file of openFiles(open)) count(file);
    for (const server of socketServers(open)) count(server);
    for (const child of children()) count(child);
  }
  return counts;
}

function openFiles(open: readonly string[]): string[] {
  // Neither the check itself nor devices; below /dev/shm are files in memory.
  return open
    .filter((target) => target.startsWith('/') && !/^\/(proc|dev(?!\/shm\/))\//.test(target))
    .map((target) => `file ${target}`);
}

/** Servers on Unix sockets. */
function socketServers(open: readonly string[]): string[] {
  const own = new Set(open.filter((target) => target.startsWith('socket:')));
  if (own.size === 0) return [];
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , , flags, , , inode = '', path = ''] = line.split(/ +/);
      const listens = flags === '00010000' && own.has(`socket:[${inode}]`);
      return listens ? [`server ${path}`] : [];
    });
}

/** The target of each open descriptor. */
function descriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // Closed since the folder was read.
    }
  });
}

function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const ids = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' ');
      // A process can start another program, and has no command line while it does.
      return ids.filter((id) => id !== '' && !hasEnded(id)).map((id) => `process ${id}`);
    } catch {
      return []; // The thread has ended.
    }
  });
}

function hasEnded(id: string): boolean {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

/** A resource with what helps to find it: for a process, its command line. */
function described(thing: string): string {
  const [, id] = /^process (\d+)$/.exec(thing) ?? [];
  if (id === undefined) return thing;
  try {
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return `${thing} (${command.slice(0, 200)})`;
  } catch {
    return thing; // It has ended since.
  }
}

/** Resources that are open now and were not at an earlier count. */
export const openedSince = (before: ResourceCounts): string[] =>
  [...openResources()].flatMap(([thing, count]) => {
    const more = count - (before.get(thing) ?? 0);
    if (more <= 0) return [];
    return [more === 1 ? described(thing) : `${thing} × ${more}`];
  });

async function expectNothingOpened(before: ResourceCounts, who: string): Promise<void> {
  const end = performance.now() + CLOSE_TIMEOUT_MS;
  let left = openedSince(before);
  while (left.length > 0 && performance.now() < end) {
    await delay(POLL_MS);
    left = openedSince(before);
  }
  if (left.length > 0) throw new Error(`${who} left open: ${left.join(', ')}`);
}

let beforeFile: ResourceCounts = new Map();
let isShared = false;

/**
 * For a file whose tests share resources: only resources that are open after all of its tests are
 * an error.
 */
export function allowSharedResources(): void {
  isShared = true;
}

beforeAll(() => {
  beforeFile = openResources();
});
// Callbacks that a test registers with `onTestFinished` run before this one, which is registered
// first.
beforeEach(({ onTestFinished }) => {
  if (isShared) return;
  const before = openResources();
  onTestFinished(() => expectNothingOpened(before, 'This test'), 2 * CLOSE_TIMEOUT_MS);
});
afterAll(() => {
  // The next file may have the same modules.
  isShared = false;
  return expectNothingOpened(beforeFile, 'The tests of this file');
}, 2 * CLOSE_TIMEOUT_MS);
