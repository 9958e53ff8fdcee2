import type { Answer } from './outcomes.ts';

/** An answer in which the key, should the service have echoed it, cannot be read any more. */
export function withoutKey(answer: Answer, key: string): Answer {
  const hide = (text: string): string => text.replaceAll(key, '[API key]');
  return {
    ...answer,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, hide(value)]),
    ),
    body: hide(answer.body),
  };
}

const ADDRESS = /https?:(?:\\?\/){2}/i;
const QUERY = /\?|\\u003f/i;
/** JSON ends an address with a quotation mark; any other character may be part of its query. */
const RUN_IN_BODY = /[^\s"]+/g;

/** A body whose addresses have lost their queries, which are what signs a link (§2.3). */
export function withoutLinkSecrets(body: string): string {
  return withoutQueries(body, RUN_IN_BODY);
}

/**
 * Cuts each run of characters that contains an address where the address's query begins; JSON stays
 * JSON. Takes linear time for any text.
 */
export function withoutQueries(text: string, runs: RegExp): string {
  return text.replace(runs, (run) => {
    const address = run.search(ADDRESS);
    if (address === -1) return run;
    const query = run.slice(address).search(QUERY);
    return query === -1 ? run : `${run.slice(0, address + query)}?…${escapeAtEnd(run)}`;
  });
}

/** The backslashes that escape what comes after a run, where JSON is a text within JSON. */
function escapeAtEnd(run: string): string {
  let end = run.length;
  while (run[end - 1] === '\\') end -= 1;
  return run.slice(end);
}
