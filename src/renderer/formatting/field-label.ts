import type { FieldText } from '../../contract/field-text.ts';
import type { Language } from '../texts/languages.ts';

interface NamedField {
  readonly name: string;
  readonly label?: FieldText | undefined;
  /** The column of the user's file that it is taken from. */
  readonly from?: string | null | undefined;
}

/** A field's name in a form: its label in the page's language, else its technical name. */
export function fieldLabel({ name, label }: Omit<NamedField, 'from'>, language: Language): string {
  if (label !== undefined) return fieldText(label, language);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A text of a field in the page's language, else in English. */
export function fieldText(text: FieldText, language: Language): string {
  return text[language] ?? text.en;
}

/** A field's name in a row's error: that of the column in the user's file, if there is one. */
export function columnLabel(
  fields: readonly NamedField[],
  column: string,
  language: Language,
): string {
  const field = fields.find(({ name }) => name === column);
  return field === undefined ? column : (field.from ?? fieldLabel(field, language));
}
