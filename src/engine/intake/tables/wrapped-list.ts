/** Finds the list of videos in a JSON object that has other values besides: `{"videos": […]}`. */
import { sanitizeRemoteText } from '../../sanitize-remote-text.ts';
import { sourcesOfKeys } from './scan-json.ts';
import type { ColumnOf } from './table-options.ts';

/** Objects around a list; each is read again. */
const MAX_DEPTH = 4;
/** Characters of names that lead to a list. */
const MAX_PATH = 200;

export interface WrappedList {
  /** The names of its objects and its own: `data.items`. */
  readonly path: string;
  /** Its JSON. */
  readonly text: string;
}

/**
 * The only list of objects in an object. A list of a video, such as its scenes, is none: the
 * object has as many names of columns as the list has.
 * @param text valid JSON of an object
 */
export function wrappedList(text: string, columnOf: ColumnOf): WrappedList | null {
  const lists: WrappedList[] = [];
  let known = 0;
  const collect = (object: string, path: readonly string[]): void => {
    for (const [key, source] of sourcesOfKeys(object, 0)) {
      const place = [...path, key];
      if (/^\[\s*\{/.test(source)) lists.push({ path: place.join('.'), text: source });
      else if (source.startsWith('{') && place.length < MAX_DEPTH) collect(source, place);
      else if (columnOf(key) !== undefined) known += 1;
    }
  };
  collect(text.trim(), []);
  const [list, ...others] = lists;
  if (list === undefined || others.length > 0) return null;
  const names = sourcesOfKeys(list.text, list.text.indexOf('{')).map(([key]) => key);
  const knownInList = names.filter((key) => columnOf(key) !== undefined).length;
  if (known > 0 && knownInList <= known) return null;
  return { ...list, path: sanitizeRemoteText(list.path, MAX_PATH) };
}
