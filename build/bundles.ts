/**
 * What Electron or Node starts as a program or a worker, besides the host itself, at the place that it
 * has in `src`.
 */
export const PROGRAMS = [
  'engine/intake/read-batch-worker',
  'host/posters/decoder-program',
  'host/posters/decoder-worker',
  'local-service/main',
  'local-service/rendering/render-process-main',
  'local-service/rendering/render-worker',
];

/**
 * Packages that are part of a bundle: a start would read hundreds of small files of them. The others
 * have native parts or files that they look for by their path, or few starts need them.
 */
export const BUNDLED_PACKAGES = [
  '@fastify/multipart',
  '@orpc/client',
  '@orpc/contract',
  '@orpc/server',
  '@peculiar/x509',
  'commander',
  'env-paths',
  'fastify',
  'fastify-type-provider-zod',
  'htmlparser2',
  'numfmt',
  'reflect-metadata',
  'send',
  'undici',
  'ws',
  'zod',
];
