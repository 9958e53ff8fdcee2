/** The texts around a field's control. */
export interface FieldText {
  label: string;
  /** Shows the label to screen readers only. */
  labelHidden?: boolean | undefined;
  hint?: string | null | undefined;
  /** The error in the value, shown in place of the hint. */
  error?: string | null | undefined;
}
