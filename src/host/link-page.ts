import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

const STYLE = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}',
  'body{display:grid;min-height:90vh;margin:0;place-content:center;padding:24px;',
  'background:light-dark(#fcfbfa,#191817);color:light-dark(#24211f,#efece8)}',
  'main{max-width:34em}h1{font-size:1.25rem;margin:0 0 .5em}p{margin:0}',
].join('');

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

/** The page for a browser without a session: tells the user what to do. */
export function linkRequiredPage(language: string, heading: string, text: string): LinkPage {
  return page(
    language,
    `<title>${escaped(heading)}</title>`,
    `<main><h1>${escaped(heading)}</h1><p>${escaped(text)}</p></main>`,
  );
}

/**
 * Redirects from the first link to the app by a page. An HTTP redirect does not work: after a link
 * in a file or on another site's page, browsers send no `SameSite=Strict` cookie with redirected
 * requests.
 *
 * @param target the link, as requested; the app gets the rest of its query
 */
export function redirectPage(target: string): LinkPage {
  const query = new URLSearchParams(/\?(.*)$/.exec(target)?.[1]);
  query.delete('ticket');
  const rest = query.size === 0 ? '' : `?${escaped(query.toString())}`;
  return page('en', `<meta http-equiv="refresh" content="0;url=/${rest}"><title>Spool</title>`, '');
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
