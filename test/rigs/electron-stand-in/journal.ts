/** What the app told the system and nobody can ask a real system about: one entry each. */
export type JournalEntry = readonly [what: string, ...details: unknown[]];

export class Journal {
  readonly entries: JournalEntry[] = [];

  note(...entry: JournalEntry): void {
    this.entries.push(entry);
  }
}
