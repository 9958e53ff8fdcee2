import { readdirSync, readFileSync } from 'node:fs';

export interface SystemProcess {
  readonly pid: number;
  readonly parent: number;
  /** The command line, its arguments separated by spaces. */
  readonly command: string;
}

/** The processes of this computer as Linux shows them in `/proc`. */
export function processes(): SystemProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        // The name of the program, in parentheses, may contain any character.
        const [, parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
}
