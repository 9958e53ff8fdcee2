import type { FastifyPluginCallback } from 'fastify';
import { z } from 'zod';
import { answerFor } from '../videos/byte-range.ts';
import type { SignedUrls } from '../videos/signed-urls.ts';
import { type FileKind, type VideoFiles } from '../videos/video-files.ts';
import type { VideoStore } from '../videos/video-store.ts';
import {
  linkExpired,
  linkInvalid,
  notFound,
  preconditionFailed,
  rangeNotSatisfiable,
  videoExpired,
} from './errors.ts';

export interface FileRouteParts {
  readonly videos: VideoStore;
  readonly files: VideoFiles;
  readonly links: SignedUrls;
}

const linkSchema = z.object({
  kind: z.enum(['video', 'poster']),
  id: z.string(),
  expires: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
  signature: z.string(),
});

const contentTypes: Readonly<Record<FileKind, string>> = {
  video: 'video/mp4',
  poster: 'image/jpeg',
};

/** Bytes per read from the disk. */
const CHUNK_BYTES = 256 * 1024;

/** What download URLs lead to (service-api.md §2.3): no key, a signature instead, one hour. */
export const fileRoutes: FastifyPluginCallback<FileRouteParts> = (app, parts, done) => {
  const { videos, files, links } = parts;

  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:kind/:id',
    handler: async (request, reply) => {
      const link = linkSchema.safeParse(Object.assign({}, request.query, request.params));
      if (!link.success) throw linkInvalid();
      const { kind, id, expires: expiresAt, signature } = link.data;
      const verdict = links.check({ kind, id, expiresAt, signature });
      if (verdict === 'forged') throw linkInvalid();
      const video = videos.findFinished(id);
      // Checked before the link's expiry: a new link would not help.
      if (video && videos.hasExpired(video)) throw videoExpired(video);
      if (verdict === 'expired') throw linkExpired();
      const file = video && (await files.open(id, kind));
      if (!file) throw notFound();
      let streaming = false;
      try {
        const { size } = await file.stat();
        const etag = kind === 'video' ? `"${video.sha256}"` : `"${video.sha256}-poster"`;
        const answer = answerFor(
          { size, etag },
          {
            // Ranges are for GET alone (RFC 9110 §14.2).
            range: request.method === 'GET' ? request.headers.range : undefined,
            ifRange: single(request.headers['if-range']),
            ifMatch: request.headers['if-match'],
            ifNoneMatch: request.headers['if-none-match'],
          },
        );
        reply.headers({
          etag,
          'accept-ranges': 'bytes',
          'cache-control': 'private, max-age=3600, immutable',
          'cross-origin-resource-policy': 'cross-origin',
        });
        if (answer.status === 304) return await reply.code(304).send();
        if (answer.status === 412) throw preconditionFailed();
        if (answer.status === 416) {
          reply.header('content-range', `bytes */${size}`);
          throw rangeNotSatisfiable();
        }
        const [first, last] = answer.status === 206 ? [answer.first, answer.last] : [0, size - 1];
        if (answer.status === 206) reply.header('content-range', `bytes ${first}-${last}/${size}`);
        reply.code(answer.status).headers({
          'content-type': contentTypes[kind],
          'content-length': last - first + 1,
          'content-disposition': `inline; filename="${id}.${kind === 'video' ? 'mp4' : 'jpg'}"`,
        });
        if (request.method === 'HEAD') return await reply.send();
        streaming = true;
        return await reply.send(
          file.createReadStream({ start: first, end: last, highWaterMark: CHUNK_BYTES }),
        );
      } finally {
        // A stream closes the file itself, also when the client goes away half way.
        if (!streaming) await file.close();
      }
    },
  });
  done();
};

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
