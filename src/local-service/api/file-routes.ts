import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { responseFor, type ConditionalHeaders } from '../videos/byte-range.ts';
import type { SignedUrls } from '../videos/signed-urls.ts';
import { type FileKind, type VideoFiles } from '../videos/video-files.ts';
import type { VideoRepository } from '../videos/video-repository.ts';
import type { FinishedVideo } from '../videos/video.ts';
import {
  linkExpired,
  linkInvalid,
  notFound,
  preconditionFailed,
  rangeNotSatisfiable,
  videoExpired,
} from './errors.ts';

export interface FileRouteParts {
  readonly videos: VideoRepository;
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

/** Serves download links (service-api.md §2.3), which have a signature instead of a key. */
export const fileRoutes: FastifyPluginCallback<FileRouteParts> = (app, parts, done) => {
  const { videos, files, links } = parts;

  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:kind/:id',
    handler: async (request, reply) => {
      const { kind, video } = await linkedVideo(request);
      const file = { id: video.id, kind, attempt: video.attempt };
      // The database has the size of a video, so that sending it takes a single request to the
      // store.
      const size = kind === 'video' ? video.bytes : (await files.stat(file))?.size;
      if (size === undefined) throw notFound();
      const etag = kind === 'video' ? `"${video.sha256}"` : `"${video.sha256}-poster"`;
      const response = responseFor({ size, etag }, conditionalHeaders(request));
      const headers = {
        etag,
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=3600, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      };
      switch (response.status) {
        case 412:
          reply.headers(headers);
          throw preconditionFailed();
        case 416:
          reply.headers({ ...headers, 'content-range': `bytes */${size}` });
          throw rangeNotSatisfiable();
        case 304:
          if (!(await files.stat(file))) throw notFound();
          return reply.code(304).headers(headers).send();
        case 200:
        case 206:
      }
      const range = response.status === 206 ? response : undefined;
      const expected = { size, ...(kind === 'video' && { sha256: video.sha256 }) };
      // Opened before the headers are set: the file may be missing.
      const opened =
        request.method === 'HEAD'
          ? await files.stat(file)
          : await files.open(file, { range, expected });
      if (!opened) throw notFound();
      reply.code(response.status).headers({
        ...headers,
        ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
        'content-type': contentTypes[kind],
        'content-length': range ? range.last - range.first + 1 : size,
        'content-disposition': `inline; filename="${video.id}.${kind === 'video' ? 'mp4' : 'jpg'}"`,
      });
      // Fastify destroys the stream when the client disconnects.
      return reply.send('content' in opened ? opened.content : undefined);
    },
  });
  done();

  /** @throws {ApiError} unless the link is valid and the video has not expired */
  async function linkedVideo(
    request: FastifyRequest,
  ): Promise<{ kind: FileKind; video: FinishedVideo }> {
    const link = linkSchema.safeParse(Object.assign({}, request.query, request.params));
    if (!link.success) throw linkInvalid();
    const { kind, id, expires: expiresAt, signature } = link.data;
    const result = links.check({ kind, id, expiresAt, signature });
    if (result === 'forged') throw linkInvalid();
    const video = await videos.findFinished(id);
    // Before the link's expiry, since a new link to an expired video would not help.
    if (video && videos.hasExpired(video)) throw videoExpired(video);
    if (result === 'expired') throw linkExpired();
    if (!video) throw notFound();
    return { kind, video };
  }
};

function conditionalHeaders({ method, headers }: FastifyRequest): ConditionalHeaders {
  return {
    // Range applies to GET only (RFC 9110 §14.2).
    range: method === 'GET' ? headers.range : undefined,
    ifRange: single(headers['if-range']),
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
  };
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
