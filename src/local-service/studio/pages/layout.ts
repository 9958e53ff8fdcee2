import { TOKEN_FIELD } from '../form-body.ts';
import { type Content, html, type Html } from '../html.ts';
import { mark } from './icons.ts';

/** What every page shows or uses of a signed-in user's session. */
export interface PageSession {
  readonly email: string;
  /** The token for this session's forms. */
  readonly token: string;
}

export type Section = 'studio' | 'settings';

/** A page for a signed-in user. */
export function signedPage(
  title: string,
  signed: PageSession,
  section: Section | undefined,
  content: Content,
): Html {
  const link = (name: Section, label: string): Html =>
    html`<a href="/${name}" ${section === name && html`aria-current="page"`}>${label}</a>`;
  return document(
    title,
    html`<header class="bar">
        <div class="bar-inside">
          <a class="home" href="/studio">${mark}<span>Spool</span></a>
          <nav aria-label="Main">${link('studio', 'Studio')}${link('settings', 'Settings')}</nav>
          <form class="leave" method="post" action="/sign-out">
            ${tokenField(signed.token)}
            <span class="who" title="${signed.email}">${signed.email}</span>
            <button class="quiet">Sign out</button>
          </form>
        </div>
      </header>
      <main id="main" tabindex="-1">${content}</main>`,
  );
}

/** A page for a visitor who is not signed in, with centred content. */
export function visitorPage(title: string, content: Content): Html {
  return document(
    title,
    html`<main id="main" class="alone" tabindex="-1">
      <div class="greeting">${mark}<span>Spool</span></div>
      ${content}
    </main>`,
  );
}

/** The form's token. It must be the first field of its form. */
export function tokenField(token: string): Html {
  return html`<input type="hidden" name="${TOKEN_FIELD}" value="${token}" />`;
}

function document(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Spool</title>
        <link rel="icon" href="/studio/assets/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/studio/assets/studio.css" />
        <script src="/studio/assets/studio.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${content}
      </body>
    </html> `;
}
