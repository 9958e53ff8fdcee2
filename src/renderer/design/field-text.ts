/** What a field says around its control. */
export interface FieldText {
  label: string;
  /** Says the label instead of showing it. */
  labelHidden?: boolean | undefined;
  hint?: string | null | undefined;
  /** What is wrong with the value, shown in place of the hint. */
  fault?: string | null | undefined;
}
