import type { ServiceApi } from '../../contract/service-profile.ts';
import { valueAt } from './response-reader.ts';
import type { ListedVideo, ListOutcome } from './outcomes.ts';

type ListPage = Pick<Extract<ListOutcome, { kind: 'page' }>, 'videos' | 'cursor'>;

/**
 * A page of the list of recent videos; `null` if it has no list where the profile says.
 * @param idOf the identifier of a listed video; `null` for one that is left out
 */
export function readListPage(
  json: unknown,
  list: NonNullable<ServiceApi['once']['list']>,
  idOf: (item: unknown) => string | null,
): ListPage | null {
  const items = valueAt(json, list.items);
  if (!Array.isArray(items)) return null;
  const videos = items.flatMap((item: unknown): ListedVideo[] => {
    const remoteId = idOf(item);
    if (remoteId === null) return [];
    const ownId = valueAt(item, list.ours);
    const createdAt = list.createdAt === null ? null : momentFrom(valueAt(item, list.createdAt));
    return [{ remoteId, ownId: typeof ownId === 'string' ? ownId : null, createdAt }];
  });
  const cursor = list.nextPage === null ? null : cursorFrom(valueAt(json, list.nextPage.at));
  return { videos, cursor };
}

/** Services mark the end of their lists by an empty cursor, `null`, `false` or none. */
function cursorFrom(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MAX_CURSOR ? value : null;
}

/** Characters. */
const MAX_CURSOR = 2000;

/** Seconds or milliseconds since the epoch, or text with a time zone. */
function momentFrom(value: unknown): number | null {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string') return null;
  if (/^\d{1,15}(?:\.\d+)?$/.test(value)) return momentFrom(Number(value));
  const at = /(?:Z|[+-]\d\d:?\d\d|GMT|UTC)$/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
