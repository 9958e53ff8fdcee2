import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second, whatever its timer frequency. */
const TICK_MS = 10;

interface ProcessTimes {
  readonly parent: number;
  /** Used by the process and by its children that have ended. */
  readonly milliseconds: number;
}

/**
 * Processor time in milliseconds that a process and all its descendants, also ended ones, have used
 * so far. 0 on other systems than Linux.
 */
export function processorTimeOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const processes = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? timesOf(name) : undefined;
    if (times) processes.set(Number(name), times);
  }
  return sumOf(processes, pid);
}

function sumOf(processes: ReadonlyMap<number, ProcessTimes>, pid: number): number {
  let sum = processes.get(pid)?.milliseconds ?? 0;
  for (const [child, { parent }] of processes) if (parent === pid) sum += sumOf(processes, child);
  return sum;
}

/** `undefined` for a process that has just ended: its parent's times include it. */
function timesOf(pid: string): ProcessTimes | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The fields follow the name, which is in parentheses and may contain more of them
  // (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), milliseconds: ticks * TICK_MS };
}
