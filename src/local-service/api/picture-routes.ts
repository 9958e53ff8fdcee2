/** Takes pictures, clips, sounds and fonts for videos, beside the documented API. */
import { Readable } from 'node:stream';
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
import { BodyMemory } from '../body-memory.ts';
import { takeUpload } from '../body-time.ts';
import { type ImageStore, MAX_MEDIA_BYTES } from '../videos/image-store.ts';
import { fileTooLarge, invalidRequest, tooManyBodies } from './errors.ts';
import { accountOf } from './guard.ts';

export interface PictureRouteParts {
  readonly images: Pick<ImageStore, 'receive'>;
}

/** Of files that arrive at a time: one that is sent and one for a preview, of a few accounts. */
const MAX_BYTES = { total: 6 * MAX_MEDIA_BYTES, perAccount: 2 * MAX_MEDIA_BYTES };

/** RFC 9530 §2. */
const DIGEST = /^sha-256=:([\w+/]{43}=):$/;

/**
 * `POST /local/picture`, to be mounted behind the key guard: stores a picture, a clip, a sound or a font, whose
 * identifier a storyboard can name. The body is written as it arrives; with a `Content-Digest`, other bytes are
 * refused. The same file gets the same identifier. It uses no quota and is not part of the documented API: the app
 * calls it when this service runs on the same computer.
 */
export const pictureRoutes: FastifyPluginCallbackZod<PictureRouteParts> = (app, parts, done) => {
  const { images } = parts;
  const bodies = new BodyMemory(MAX_BYTES);
  app.addHook('preParsing', (request, reply, payload, next) => {
    const stated = Number(request.headers['content-length'] ?? MAX_MEDIA_BYTES);
    if (!(stated <= MAX_MEDIA_BYTES)) {
      next(fileTooLarge(), payload);
      return;
    }
    const body = bodies.begin(accountOf(request).id);
    reply.raw.once('close', () => body[Symbol.dispose]());
    if (body.add(stated) !== undefined) {
      next(tooManyBodies(), payload);
      return;
    }
    takeUpload(request.raw);
    next(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/octet-stream', (_request, payload, parsed) =>
    parsed(null, payload),
  );
  app.post('/local/picture', async (request, reply) => {
    const { body, headers } = request;
    if (!(body instanceof Readable)) throw invalidRequest('Send the bytes of a file.');
    const digest = headers['content-digest'];
    const [, base64] = DIGEST.exec(String(digest ?? '')) ?? [];
    if (digest !== undefined && base64 === undefined) {
      throw invalidRequest('Content-Digest must be a SHA-256 of RFC 9530.');
    }
    const sha256 = base64 && Buffer.from(base64, 'base64').toString('hex');
    const size = Number(headers['content-length'] ?? MAX_MEDIA_BYTES);
    const added = await images.receive(accountOf(request), body, { size, sha256 });
    if (added.kind === 'added') return { success: true as const, id: added.id };
    // What is left of the body is not read.
    void reply.header('connection', 'close');
    if (added.kind === 'too-large') throw fileTooLarge();
    throw invalidRequest(`The file ${added.reason}.`);
  });
  done();
};
