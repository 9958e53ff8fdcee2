/** The OpenAPI document without paths, which are generated from the routes' schemas. */
export const openApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Video Generation Service, local',
    version: '1.0.0',
    description:
      'Renders videos on this computer. Every response carries X-RateLimit-Remaining and ' +
      'X-RateLimit-Reset; a 429 carries Retry-After too.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  components: {
    securitySchemes: {
      apiKey: { type: 'apiKey' as const, in: 'header' as const, name: 'X-API-Key' },
    },
  },
};
