/** What was looked at and how it stands. */
export interface Finding {
  /** One word for programs and for the first column: `disk`. */
  readonly check: string;
  /** `note`: it works, and the user may want to know something; `bad`: something does not work. */
  readonly state: 'good' | 'note' | 'bad';
  /** One sentence. */
  readonly message: string;
  /** What the user can do about it. */
  readonly advice?: string;
}
