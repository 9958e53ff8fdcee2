import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

const STYLE = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}',
  'body{display:grid;min-height:90vh;margin:0;place-content:center;padding:24px;',
  'background:light-dark(#fcfbfa,#191817);color:light-dark(#24211f,#efece8)}',
  'main{max-width:34em}h1{font-size:1.25rem;margin:0 0 .5em}p{margin:0}',
].join('');

/** How often, in seconds, the page checks whether its browser has opened the link. */
const RELOAD_AFTER_S = 3;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page with fixed markup; texts are escaped. */
export interface LinkPage {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/**
 * The page for a browser without a session: tells the user what to do. It reloads itself, so it
 * becomes the app after the link was opened in another tab.
 */
export function linkRequiredPage(language: string, heading: string, text: string): LinkPage {
  return page(
    language,
    `<meta http-equiv="refresh" content="${RELOAD_AFTER_S}"><title>${escaped(heading)}</title>`,
    `<main><h1>${escaped(heading)}</h1><p>${escaped(text)}</p></main>`,
  );
}

/**
 * Redirects from the first link to the app by a page. An HTTP redirect does not work: after a link
 * in a file or on another site's page, browsers send no `SameSite=Strict` cookie with redirected
 * requests.
 */
export function redirectPage(): LinkPage {
  return page('en', '<meta http-equiv="refresh" content="0;url=/"><title>Spool</title>', '');
}

function page(language: string, head: string, body: string): LinkPage {
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
    },
    body:
      `<!doctype html><html lang="${language}"><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width">' +
      `${head}<style>${STYLE}</style><body>${body}</body></html>\n`,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
