/**
 * A text in which no key and no signed link can be read any more, whoever wrote it: keys of the
 * documented form (service-api.md §3) lose all but their beginning, addresses lose their query, and
 * links of this computer's web host their token (`abuse.md` 17, 18).
 */
export function redact(text: string): string {
  return text
    .replace(/svc_live_[A-Za-z0-9_-]+/g, 'svc_…')
    .replace(/(https?:\/\/[^\s"'<>?#\\]*)\?[^\s"'<>]*/gi, '$1?…');
}
