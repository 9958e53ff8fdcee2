/** The page of the studio for a request that failed. */
import { html, type Html } from '../html.ts';
import type { PageError } from '../page-error.ts';
import { visitorPage } from './layout.ts';

export function errorPage({ title, message }: PageError): Html {
  return visitorPage(
    title,
    html`<section class="card">
      <h1>${title}</h1>
      <p class="lead">${message}</p>
      <p><a class="button primary" href="/studio">Go to the studio</a></p>
    </section>`,
  );
}
