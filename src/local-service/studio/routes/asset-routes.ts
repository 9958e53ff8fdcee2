import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyPluginCallback } from 'fastify';

const RESOURCES = path.join(import.meta.dirname, '..', '..', '..', '..', 'resources');

const assets = {
  'studio.css': ['studio/studio.css', 'text/css; charset=utf-8'],
  'studio.js': ['studio/studio.js', 'text/javascript; charset=utf-8'],
  'inter.woff2': ['fonts/inter.woff2', 'font/woff2'],
  'mark.svg': ['icons/mark.svg', 'image/svg+xml'],
} as const;

/** The pages' static files. They are small and do not change, so they are kept in memory. */
export const assetRoutes: FastifyPluginCallback = (app, _options, done) => {
  for (const [name, [file, type]] of Object.entries(assets)) {
    const content = readFileSync(path.join(RESOURCES, file));
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    app.get(`/studio/assets/${name}`, (request, reply) => {
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(type).send(content);
    });
  }
  done();
};
