import { withoutQueries, withoutSecret } from '../engine/service/redaction.ts';

/** Within a log line or a stack trace. */
const ADDRESS = /https?:(?:\\?\/){2}[^\s"'<>]*/gi;

/**
 * Removes keys and signed links from a text: keys of the documented form (service-api.md §3) keep
 * only their beginning, addresses lose their query, and links of this computer's web host their
 * token (`abuse.md` 17, 18).
 */
export function redact(text: string): string {
  return withoutQueries(text.replace(/svc_live_[A-Za-z0-9_-]+/g, 'svc_…'), ADDRESS);
}

/** Shorter secrets are not hidden: any word could contain them. */
const MIN_SECRET_LENGTH = 8;

/** Removes what `redact` removes, and secrets of any form once they are known. */
export class Redaction {
  readonly #secrets = new Set<string>();

  /** Removes this secret from every text from now on. */
  hide(secret: string): void {
    if (secret.length >= MIN_SECRET_LENGTH) this.#secrets.add(secret);
  }

  redact(text: string): string {
    let safe = text;
    for (const secret of this.#secrets) safe = withoutSecret(safe, secret);
    return redact(safe);
  }
}
