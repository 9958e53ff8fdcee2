/** Uploads the files of rows to the service on this computer. */
import { z } from 'zod';
import { safeParse } from '../contract/safe-parse.ts';
import type { Failure } from '../contract/failure.ts';
import { userMessage } from '../contract/user-message.ts';
import { sanitizeRemoteText } from '../engine/sanitize-remote-text.ts';
import type { StoreFile } from '../engine/service/upload.ts';
import { postLocally, type LocalServiceAddress } from './local-requests.ts';

/** The service ends an upload without progress after 30 s, and then writes what its disk still has to. */
const TAKES_WITHIN_MS = 60_000;

/** The least that the service takes as progress (`local-service/body-time.ts`), in bytes per millisecond. */
export const LEAST_RATE = 500;

/**
 * The service keeps the latest files of an account, and those of unfinished videos. A
 * request follows its upload at once; a later one uploads again.
 */
const LIFE_MS = 2 * 60_000;

const MAX_REASON_LENGTH = 300;

const storedSchema = z.object({ id: z.string().regex(/^img_[\w-]{22}$/) });
const refusedSchema = z.object({ message: z.string() });

export function storeLocally(service: LocalServiceAddress): StoreFile {
  return async (content, signal) => {
    const size = Buffer.isBuffer(content) ? content.length : content.size;
    const headersMs = TAKES_WITHIN_MS + size / LEAST_RATE;
    const post = { path: '/local/picture', body: content, headersMs };
    const response = await postLocally(service, post, signal);
    if (response?.status === 200) {
      const stored = safeParse(storedSchema, response.json);
      if (stored.success) return { kind: 'uploaded', value: stored.data.id, lifeMs: LIFE_MS };
    }
    const host = new URL(service.url).host;
    const message = userMessage('picture-not-uploaded', { host });
    const failure: Failure = { code: 'service-unreachable', ...message };
    if (response?.status !== 400) return { kind: 'unavailable', failure };
    const refused = safeParse(refusedSchema, response.json);
    const reason = refused.success ? refused.data.message.replaceAll(response.key, '…') : '';
    const detail = sanitizeRemoteText(reason, MAX_REASON_LENGTH);
    return { kind: 'refused', failure: { ...failure, detail } };
  };
}
