/** Tells the service on this computer which of its videos are saved. */
import type { DeleteSaved } from '../engine/flow/flow-context.ts';
import { postLocally, type LocalServiceAddress } from './local-requests.ts';

const DELETES_WITHIN_MS = 5000;

/**
 * Tells the local service that a video is saved, so that it deletes its own copy. A service that
 * does not answer keeps it for its retention time.
 */
export function deleteSavedLocally(service: LocalServiceAddress): DeleteSaved {
  return async (id, sha256) => {
    const body = JSON.stringify({ id, sha256 });
    await postLocally(service, { path: '/local/saved', body, headersMs: DELETES_WITHIN_MS });
  };
}
