/** Asks the local service which characters no font of this computer can draw. */
import { z } from 'zod';
import { safeParse } from '../contract/safe-parse.ts';
import type { FindUndrawable } from '../engine/find-undrawable.ts';
import { postLocally, type LocalServiceAddress } from './local-requests.ts';

/** The service stops checking after 20 s, and may draw other frames before. */
const CHECKS_WITHIN_MS = 30_000;
/** Far below the service's limit of 1 MiB. */
const MAX_CHARACTERS = 20_000;

const answerSchema = z.object({ undrawable: z.array(z.string().max(1000)) });

/** The key stays in this process. Characters that could be drawn are not asked about again. */
export function findUndrawableLocally(service: LocalServiceAddress): FindUndrawable {
  const drawable = new Set<string>();
  return async (characters) => {
    const unknown = [...characters].filter((character) => !drawable.has(character));
    if (unknown.length === 0) return new Set();
    const texts = [unknown.slice(0, MAX_CHARACTERS).join('\n')];
    const post = {
      path: '/local/glyphs',
      body: JSON.stringify({ texts }),
      headersMs: CHECKS_WITHIN_MS,
    };
    const response = await postLocally(service, post);
    if (response?.status !== 200) return null;
    const answer = safeParse(answerSchema, response.json);
    if (!answer.success) return null;
    const undrawable = new Set(answer.data.undrawable);
    for (const character of unknown.slice(0, MAX_CHARACTERS))
      if (!undrawable.has(character)) drawable.add(character);
    return undrawable;
  };
}
