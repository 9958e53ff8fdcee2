import type { FastifyReply } from 'fastify';

const CONTENT_HEADERS = [
  'etag',
  'accept-ranges',
  'content-range',
  'content-type',
  'content-length',
  'content-disposition',
];

/** Removes a file's headers, set but not yet sent, from a reply that becomes an error instead. */
export function removeContentHeaders(reply: FastifyReply): void {
  if (!reply.hasHeader('content-disposition')) return;
  for (const name of CONTENT_HEADERS) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
}
