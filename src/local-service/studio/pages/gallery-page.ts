import type { QuotaParts } from '../gallery.ts';
import { html, type Html } from '../html.ts';
import { type Signed, signedPage } from './layout.ts';

export function galleryPage(signed: Signed, quota: QuotaParts): Html {
  return signedPage(
    'Studio',
    signed,
    'studio',
    html`<h1>Studio</h1>
      <p>${quota.left} left</p>`,
  );
}
