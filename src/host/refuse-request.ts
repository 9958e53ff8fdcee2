/** How the web host refuses a request: with a page or a line in the browser's language. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageIn } from '../contract/message-in.ts';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import { linkRequiredPage } from './link-page.ts';

/** Set for a file before it is opened. */
const FILE_HEADERS = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag', 'Last-Modified'];

/**
 * Answers in the language that the browser prefers: the app's own setting is not available here.
 */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  reason: UserMessage,
): void {
  // The file could not be read to its end.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of FILE_HEADERS) response.removeHeader(name);
  const isGerman = /^\s*de\b/i.test(request.headers['accept-language'] ?? '');
  const language = isGerman ? 'de' : 'en';
  const localize = (message: UserMessage): string => messageIn(language, message);
  // Shown to a user who opens or reloads the page. The page's own requests read only the status.
  if (status === 401 && request.headers.accept?.includes('text/html')) {
    const { headers, body } = linkRequiredPage(
      language,
      localize(userMessage('page-link-needed')),
      localize(userMessage('page-link-needed-why')),
    );
    response.writeHead(status, headers);
    response.end(body);
    return;
  }
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Language': language,
  });
  response.end(`${localize(reason)}\n`);
}
