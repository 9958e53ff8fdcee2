import { escapedJson } from '../../engine/json.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';

/** They are never sent (`requestTemplateSchema`). */
const DIRECTIVES: ReadonlySet<string> = new Set(['$if', '$unless', '$columns', '$each']);

type Json = Profile['request']['body'][string];

/** A value that is one column of the row and nothing else. */
const COLUMN = /^\s*\{\{[^{}]+\}\}\s*$/;

const documented = new Set(leavesOf(storyboardProfile.request.body, ''));

/**
 * The constants that a profile sends with every row, each as `path: JSON`, except those that the
 * documented request has at the same path.
 */
export function requestConstants({ request }: Profile): string[] {
  return leavesOf(request.body, '').filter((leaf) => !documented.has(leaf));
}

/** What is sent instead of an object is sent at its place. */
function pathOf(name: string, within: string): string {
  if (name === '$else') return within;
  return within === '' ? name : `${within}.${name}`;
}

function leavesOf(value: Json, path: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([name]) => !DIRECTIVES.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, inner]) => leavesOf(inner, pathOf(name, path)));
  }
  const isOfRow = value === null || (typeof value === 'string' && COLUMN.test(value));
  return isOfRow ? [] : [`${path}: ${escapedJson(value)}`];
}
