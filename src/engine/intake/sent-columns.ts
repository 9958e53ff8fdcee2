/** Says which columns of a file requests may have, before the file is read. */
import type { OwnTemplate } from '../../contract/batch.ts';
import { takesEveryColumn } from './every-column.ts';
import { mayBeTranslation } from './languages.ts';
import { foldHeader } from './match-columns.ts';
import { placeholdersIn, type RequestTemplate } from './request-template.ts';
import type { ColumnOf } from './tables/table-options.ts';

/**
 * @param own the user's template, in which a placeholder names any column of the file
 * @param columnOf the column of the profile that a header names
 */
export function sentColumns(
  profile: RequestTemplate,
  own: OwnTemplate | undefined,
  columnOf: ColumnOf,
): (header: string) => boolean {
  const body = own?.body ?? profile.body;
  if (takesEveryColumn({ body })) return () => true;
  const named = new Set(
    placeholdersIn(body).map((name) => foldHeader(name.replace(/:(?:text|number)$/, ''))),
  );
  const isTranslation = mayBeTranslation(profile);
  return (header) =>
    columnOf(header) !== undefined || named.has(foldHeader(header)) || isTranslation(header);
}
