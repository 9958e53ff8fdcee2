import { expect, test } from 'vitest';
import { z } from 'zod';
import { startRig, storyboard } from './rig.ts';

const media = z
  .object({
    content: z.object({
      'application/json': z.object({
        schema: z.record(z.string(), z.unknown()),
        example: z.unknown().optional(),
        examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
      }),
    }),
  })
  .transform(
    ({
      content: {
        'application/json': { schema, example, examples },
      },
    }) => ({
      schema,
      examples: examples ? Object.values(examples).map(({ value }) => value) : [example],
    }),
  );
const operation = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: media.optional(),
  responses: z.record(z.string(), media),
});
const document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ license: z.object({ name: z.string(), identifier: z.string() }) }),
  servers: z.array(z.object({ url: z.url() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ securitySchemes: z.object({ apiKey: z.record(z.string(), z.string()) }) }),
});

test('the document is served without a key and describes the three endpoints', async () => {
  const rig = await startRig();
  const answer = await rig.client.ask('/api/v1/openapi.json');
  expect(answer.status).toBe(200);
  const { paths, components } = document.parse(answer.json);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { responses }]) => `${method} ${path} ${Object.keys(responses).join(' ')}`,
    ),
  );
  expect(described).toEqual([
    'post /api/v1/video/generate 200 400 401 403 413 415 429 500',
    'get /api/v1/video/status/{id} 200 401 404 410 429 500',
    'get /api/v1/video/download/{id} 200 401 404 409 410 429 500',
  ]);
  expect(components.securitySchemes.apiKey).toEqual({
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
  });
});

test('the document names its licence and the address at which the client reached it', async () => {
  const rig = await startRig();
  const { port } = new URL(rig.service.url);
  for (const host of ['127.0.0.1', 'localhost']) {
    const headers = { host: `${host}:${port}` };
    const answer = await rig.client.ask('/api/v1/openapi.json', { headers });
    const { info, servers, paths } = document.parse(answer.json);
    expect(info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    expect(servers).toEqual([{ url: `https://${host}:${port}` }]);
    const [{ url } = { url: '' }] = servers;
    const [path = ''] = Object.keys(paths);
    const made = await rig.client.post(url + path, storyboard(), await rig.signUp());
    expect(made.status).toBe(200);
  }
});

test('every body has examples, and each is valid by its schema', async () => {
  const rig = await startRig();
  const { paths } = document.parse((await rig.client.ask('/api/v1/openapi.json')).json);
  const bodies = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((it) => [...Object.values(it.responses), ...(it.requestBody ? [it.requestBody] : [])]);
  expect(bodies).toHaveLength(22);
  for (const body of bodies) {
    const { schema, examples } = body;
    const validator = z.fromJSONSchema(schema);
    for (const example of examples) {
      expect(validator.safeParse(example).error).toBeUndefined();
    }
  }
});

test('the examples of a request body are accepted unchanged', async () => {
  const rig = await startRig();
  const { paths } = document.parse((await rig.client.ask('/api/v1/openapi.json')).json);
  const { examples } = paths['/api/v1/video/generate']!.post!.requestBody!;
  const headers = await rig.signUp();
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const answer = await rig.client.post('/api/v1/video/generate', example, headers);
    expect(answer.status).toBe(200);
  }
});
