import type { QuotaParts } from '../gallery.ts';
import { html, type Html } from '../html.ts';
import { dayOf } from './moments.ts';

/** How many videos an account may still make. */
export function videosLeft({ left, limit, resetAt }: QuotaParts): Html {
  return limit === null
    ? html`As many videos as this computer renders`
    : html`${left} of ${limit} videos left until ${dayOf(resetAt)}`;
}
