/** Asks the local service which texts of videos would be too small or badly broken. */
import { z } from 'zod';
import { safeParse } from '../contract/safe-parse.ts';
import type { CheckLayouts, MisfitText } from '../engine/check-layouts.ts';
import { postLocally, type LocalServiceAddress } from './local-requests.ts';

/** The service stops checking after 20 s, and may draw other frames before. */
const CHECKS_WITHIN_MS = 30_000;
/** The service takes this many at a time, */
const MAX_REQUESTS = 50;
/** and 1 MiB. */
const MAX_BYTES = 900_000;

const answerSchema = z.object({
  issues: z.array(
    z.array(
      z.union([
        z.object({
          text: z.string(),
          kind: z.enum(['too-long', 'broken-word']),
          fits: z.int().min(0),
        }),
        z.object({
          text: z.string(),
          kind: z.literal('low-contrast'),
          nearest: z.string().regex(/^#[0-9a-f]{6}$/u),
        }),
      ]),
    ),
  ),
});

/** The key stays in this process. */
export function checkLayoutsLocally(service: LocalServiceAddress): CheckLayouts {
  return async (requests) => {
    const found: (readonly MisfitText[])[] = [];
    for (const part of inParts(requests.map((request) => JSON.stringify(request)))) {
      const body = `{"storyboards":[${part.join(',')}]}`;
      const post = { path: '/local/layouts', body, headersMs: CHECKS_WITHIN_MS };
      const response = await postLocally(service, post);
      if (response?.status !== 200) return null;
      const answer = safeParse(answerSchema, response.json);
      if (!answer.success || answer.data.issues.length !== part.length) return null;
      found.push(...answer.data.issues);
    }
    return found;
  };
}

function inParts(requests: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const request of requests) {
    const own = Buffer.byteLength(request) + 1;
    const last = parts.at(-1);
    if (last && last.length < MAX_REQUESTS && bytes + own <= MAX_BYTES) {
      last.push(request);
      bytes += own;
    } else {
      parts.push([request]);
      bytes = own;
    }
  }
  return parts;
}
