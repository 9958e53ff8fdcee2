/** The result of a check. */
export interface Finding {
  /** One word for programs and for the first column: `disk`. */
  readonly check: string;
  /** `note`: it works, but the user may want to know something; `bad`: something does not work. */
  readonly state: 'good' | 'note' | 'bad';
  /** One sentence. */
  readonly message: string;
  /** What the user can do about it. */
  readonly advice?: string;
}
