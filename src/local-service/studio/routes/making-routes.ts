import type { FastifyPluginCallback } from 'fastify';
import type { Gallery } from '../gallery.ts';
import { galleryPage } from '../pages/gallery-page.ts';
import { sendPage, signedOf, visitOf } from './visit.ts';

export interface MakingParts {
  readonly gallery: Gallery;
}

/** The studio: what was made. */
export const makingRoutes: FastifyPluginCallback<MakingParts> = (app, { gallery }, done) => {
  app.get('/studio', (request, reply) => {
    const { account } = visitOf(request);
    return sendPage(reply, galleryPage(signedOf(request), gallery.quota(account)));
  });
  done();
};
