import type { BatchFile, BatchSource } from '../../contract/batch.ts';
import { MAX_BATCH_FILES } from '../../contract/batch-limits.ts';
import type { AddProblem, OfferedFile } from './offered-file.ts';

export type FileStatus =
  | { readonly kind: 'waiting' | 'added' | 'left-out' }
  | { readonly kind: 'checked'; readonly rows: number; readonly errors: number }
  | { readonly kind: 'unreadable'; readonly problem: AddProblem };

export interface ListedFile extends OfferedFile {
  readonly id: number;
  readonly status: FileStatus;
}

/** The files that are checked one after another, with the result of each. None is dropped silently. */
export class FileList {
  all = $state.raw<readonly ListedFile[]>([]);
  /** How many files were refused because too many are open. */
  refused = $state(0);
  /** The name of the last file that replaced its earlier version. */
  replaced = $state<string | null>(null);
  #nextId = 1;

  /** Files that can still be added. */
  get open(): readonly ListedFile[] {
    return this.all.filter(isOpen);
  }

  get hasSeveral(): boolean {
    return this.all.length > 1;
  }

  count(kind: FileStatus['kind']): number {
    return this.all.filter(({ status }) => status.kind === kind).length;
  }

  byId(id: number | null): ListedFile | undefined {
    return this.all.find((file) => file.id === id);
  }

  /**
   * Appends files. A file with the key of an earlier one is its corrected version and replaces it.
   * Two files with the same key in one call stay two files.
   * @param fixed ids of files that must not be replaced
   * @returns ids of the replaced files
   */
  offer(offered: readonly OfferedFile[], fixed: readonly number[] = []): readonly number[] {
    const earlier = this.all.filter(
      ({ id, status }) => status.kind !== 'added' && !fixed.includes(id),
    );
    const replaced: number[] = [];
    let free = MAX_BATCH_FILES - this.open.length;
    for (const file of offered) {
      const id = earlier.find((one) => one.key === file.key && !replaced.includes(one.id))?.id;
      if (id !== undefined) {
        const listed = { ...file, id, status: { kind: 'waiting' } } as const;
        this.all = this.all.map((one) => (one.id === id ? listed : one));
        this.replaced = file.name;
        replaced.push(id);
      } else if (free > 0) {
        this.all = [...this.all, { ...file, id: this.#nextId++, status: { kind: 'waiting' } }];
        free -= 1;
      } else this.refused += 1;
    }
    return replaced;
  }

  /** A name for a text, which no other file of the list has. */
  freeName(name: string): string {
    const taken = this.all.map((file) => file.name);
    let number = 1;
    const numbered = (): string => (number === 1 ? name : `${name} ${number}`);
    while (taken.includes(numbered())) number += 1;
    return numbered();
  }

  mark(id: number, status: FileStatus): void {
    this.all = this.all.map((file) => (file.id === id ? { ...file, status } : file));
  }

  /** The next file that can be added: after this one, else from the first one on. */
  next(after: number | null): ListedFile | undefined {
    const place = this.all.findIndex(({ id }) => id === after);
    return [...this.all.slice(place + 1), ...this.all.slice(0, place + 1)].find(isOpen);
  }

  /** Files as one batch; `null` when one can no longer be read, which is marked as such. */
  async readTogether(listed: readonly ListedFile[]): Promise<BatchSource | null> {
    const files: BatchFile[] = [];
    for (const { id, read } of listed) {
      const found = await read();
      if (found.kind === 'file') files.push(found.file);
      else this.mark(id, { kind: 'unreadable', problem: found.problem });
    }
    const [first, ...further] = files;
    if (first === undefined || files.length < listed.length) return null;
    return further.length === 0 ? first : { ...first, further };
  }

  clear(): void {
    this.all = [];
    this.refused = 0;
    this.replaced = null;
  }
}

function isOpen({ status }: ListedFile): boolean {
  return status.kind === 'waiting' || status.kind === 'checked';
}
