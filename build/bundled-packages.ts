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
  'csv-parse',
  'env-paths',
  'fastify',
  'fastify-type-provider-zod',
  'reflect-metadata',
  'send',
  'undici',
  'ws',
  'zod',
];
