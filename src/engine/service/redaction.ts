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

/** A body whose addresses have lost their queries, which are what signs a link (§2.3). */
export function withoutLinkSecrets(body: string): string {
  return body.replace(
    /(https?:(?:\\?\/){2}[^\s"?\\]*(?:\\\/[^\s"?\\]*)*)(?:\?|\\u003[fF])[^\s"]*/g,
    '$1?…',
  );
}
