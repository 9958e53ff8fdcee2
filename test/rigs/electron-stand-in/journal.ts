/** Calls of the app to the system that a test could not query from a real system. */
export type JournalEntry = readonly [what: string, ...details: unknown[]];

export class Journal {
  readonly entries: JournalEntry[] = [];

  note(...entry: JournalEntry): void {
    this.entries.push(entry);
  }
}
