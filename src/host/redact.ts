import { withoutQueries } from '../engine/service/redaction.ts';

/** What is not around an address in a log line or a stack. */
const RUN_IN_LOG = /[^\s"'<>]+/g;

/**
 * A text in which no key and no signed link can be read any more, whoever wrote it: keys of the
 * documented form (service-api.md §3) lose all but their beginning, addresses lose their query, and
 * links of this computer's web host their token (`abuse.md` 17, 18).
 */
export function redact(text: string): string {
  return withoutQueries(text.replace(/svc_live_[A-Za-z0-9_-]+/g, 'svc_…'), RUN_IN_LOG);
}
