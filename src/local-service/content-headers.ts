import type { FastifyReply } from 'fastify';

const CONTENT_HEADERS = [
  'etag',
  'accept-ranges',
  'content-range',
  'content-type',
  'content-length',
  'content-disposition',
];

/** For an error in place of a file whose headers were set already, but not sent. */
export function removeContentHeaders(reply: FastifyReply): void {
  if (!reply.hasHeader('content-disposition')) return;
  for (const name of CONTENT_HEADERS) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
}
