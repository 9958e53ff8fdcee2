/** Takes pictures, sounds and fonts for videos, beside the documented API. */
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
import { BodyMemory } from '../body-memory.ts';
import { readImageHeader } from '../rendering/image-header.ts';
import { isFont } from '../rendering/own-font.ts';
import { soundFormatOf } from '../rendering/media/sound-format.ts';
import type { ImageStore } from '../videos/image-store.ts';
import { invalidRequest, tooManyBodies } from './errors.ts';
import { accountOf } from './guard.ts';

export interface PictureRouteParts {
  readonly images: Pick<ImageStore, 'add'>;
}

/** Photos of 64 megapixels are smaller, and so are 20 minutes of sound at 256 kbit/s. */
export const MAX_PICTURE_BYTES = 40 * 1024 * 1024;

/** Of the pictures in memory: one that is sent and one for a preview, of a few accounts. */
const MAX_BYTES = { total: 6 * MAX_PICTURE_BYTES, perAccount: 2 * MAX_PICTURE_BYTES };

/**
 * `POST /local/picture`, to be mounted behind the key guard: stores a picture, a sound or a font, whose
 * identifier a storyboard can name. The same file gets the same identifier. It uses no quota and is not part
 * of the documented API: the app calls it when this service runs on the same computer.
 */
export const pictureRoutes: FastifyPluginCallbackZod<PictureRouteParts> = (app, parts, done) => {
  const { images } = parts;
  const bodies = new BodyMemory(MAX_BYTES);
  app.addHook('preParsing', (request, reply, payload, next) => {
    const body = bodies.begin(accountOf(request).id);
    reply.raw.once('close', () => body[Symbol.dispose]());
    const stated = Number(request.headers['content-length'] ?? MAX_PICTURE_BYTES);
    const full = body.add(Math.min(stated, MAX_PICTURE_BYTES));
    next(full === undefined ? null : tooManyBodies(), payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: MAX_PICTURE_BYTES },
    (_request, body, parsed) => parsed(null, body),
  );
  app.post('/local/picture', async (request) => {
    const { body } = request;
    if (!Buffer.isBuffer(body) || !isKnown(body)) {
      throw invalidRequest(
        'The body is neither a PNG, JPEG or WebP picture, nor a sound, nor a font.',
      );
    }
    const added = await images.add(accountOf(request), body);
    if (added.kind === 'refused') throw invalidRequest(`The file ${added.reason}.`);
    return { success: true as const, id: added.id };
  });
  done();
};

function isKnown(body: Buffer): boolean {
  return (readImageHeader(body) ?? soundFormatOf(body)) !== undefined || isFont(body);
}
