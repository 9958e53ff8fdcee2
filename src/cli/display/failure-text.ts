import type { Failure } from '../../contract/failure.ts';
import { plainText } from './text-cells.ts';

/** A failure as one sentence, followed by the other side's own text if there is one. */
export function failureText(failure: Failure): string {
  const said = remoteReason(failure);
  return plainText(said === null ? failure.message : `${failure.message} (${said})`);
}

/** Why a video ended without a file: in the service's words if it refused or failed the video. */
export function reasonText(failure: Failure): string {
  switch (failure.code) {
    case 'service-refused':
    case 'content-refused':
    case 'render-failed':
      return plainText(remoteReason(failure) ?? failure.message);
    default:
      return plainText(failure.message);
  }
}

/** The fields that the service names, with their reasons, or its own text; `null` without either. */
function remoteReason({ fields = [], detail }: Failure): string | null {
  const named = fields.map((field) =>
    field.detail === null ? field.path : `${field.path}: ${field.detail}`,
  );
  if (named.length === 0) return detail ?? null;
  const hasReason = fields.some((field) => field.detail !== null);
  return hasReason || detail === undefined ? named.join('; ') : `${named.join(', ')}: ${detail}`;
}
