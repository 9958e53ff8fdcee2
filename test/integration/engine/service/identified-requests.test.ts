import { describe, expect, onTestFinished, test } from 'vitest';
import { serviceApiSchema } from '../../../../src/contract/service-profile.ts';
import type { ServiceClient } from '../../../../src/engine/service/service-client.ts';
import { jsonAnswer, ScriptedService, type ServiceScript } from '../../../rigs/scripted-service.ts';
import { TEST_KEY as KEY, testClient } from '../../../rigs/test-client.ts';

const API = {
  generate: { path: '/v1/videos' },
  status: { path: '/v1/videos/{id}' },
  once: {
    idempotencyHeader: 'Idempotency-Key',
    idField: 'metadata.ref',
    list: {
      path: '/v1/videos?order=desc',
      items: 'data',
      id: 'id',
      ours: 'metadata.ref',
      createdAt: 'created_at',
      nextPage: { at: 'next', parameter: 'after' },
    },
  },
};

async function clientOf(script: ServiceScript, api: object = API) {
  const service = await ScriptedService.start(script);
  onTestFinished(() => service.stop());
  const client = testClient(service, { api: serviceApiSchema.parse(api) });
  onTestFinished(() => client.close());
  return { client, service };
}

async function generate(client: ServiceClient, key?: string): Promise<void> {
  const connected = await client.connect();
  if (connected.kind !== 'connected') throw new Error('It did not connect.');
  await connected.connection.generate('{"a":1}', undefined, key);
}

test('the idempotency key is in its header, and the rest of the request is unchanged', async () => {
  const { client, service } = await clientOf((_request, wire) =>
    wire.end(jsonAnswer(200, { id: 'video-1' })),
  );
  await generate(client, 'our-id');
  await generate(client);
  const [first, second] = service.requests;
  expect(first?.headers.get('idempotency-key')).toBe('our-id');
  expect(first?.body).toBe('{"a":1}');
  expect(second?.headers.has('idempotency-key')).toBe(false);
});

test('a profile without an idempotency header sends none', async () => {
  const { client, service } = await clientOf(
    (_request, wire) => wire.end(jsonAnswer(200, { id: 'video-1' })),
    {},
  );
  await generate(client, 'our-id');
  expect([...(service.requests[0]?.headers.values() ?? [])]).not.toContain('our-id');
});

describe('a page of the list', () => {
  const listing = (body: unknown) => clientOf((_request, wire) => wire.end(jsonAnswer(200, body)));

  test('is requested with its encoded cursor, and read as the profile says', async () => {
    const { client, service } = await listing({
      data: [
        { id: 'a', metadata: { ref: 'ours' }, created_at: 1_780_000_000 },
        { id: 7, metadata: {}, created_at: '2026-05-04T09:00:00Z' },
        { id: 'c', metadata: 'none', created_at: 'yesterday' },
      ],
      next: 'https://evil.example/?a=1&b#c',
    });
    const page = await client.list(null);
    expect(page).toMatchObject({
      kind: 'page',
      cursor: 'https://evil.example/?a=1&b#c',
      videos: [
        { remoteId: 'a', ownId: 'ours', createdAt: 1_780_000_000_000 },
        { remoteId: '7', ownId: null, createdAt: Date.UTC(2026, 4, 4, 9) },
        { remoteId: 'c', ownId: null, createdAt: null },
      ],
    });
    await client.list('https://evil.example/?a=1&b#c');
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/v1/videos?order=desc',
      '/v1/videos?order=desc&after=https%3A%2F%2Fevil.example%2F%3Fa%3D1%26b%23c',
    ]);
    expect(service.requests.map(({ headers }) => headers.get('x-api-key'))).toEqual([KEY, KEY]);
  });

  test.each([
    ['', '.', '..', '\ud800', 'a\nb', 'x'.repeat(300)].map((id) => ({ id })),
    [{}, { id: null }, { id: {} }, { id: 1.5 }],
    [null, 'text', 7, []],
  ])('omits items without a usable identifier', async (...items) => {
    const { client } = await listing({ data: items });
    expect(await client.list(null)).toMatchObject({ kind: 'page', videos: [], cursor: null });
  });

  test.each([[{ data: 'none' }], [{}], [[]], [{ success: false, data: [] }], ['no list']])(
    'is unusable without a list: %j',
    async (body) => {
      const { client } = await listing(body);
      expect((await client.list(null)).kind).toBe('unusable');
    },
  );

  test('has a moment for each video only where it says which time zone', async () => {
    const moments = ['2026-05-04T09:00:00', '2026-05-04T09:00:00+02:00', '1780000000'];
    const { client } = await listing({ data: moments.map((at, id) => ({ id, created_at: at })) });
    const page = await client.list(null);

    expect('videos' in page && page.videos.map(({ createdAt }) => createdAt)).toEqual([
      null,
      Date.UTC(2026, 4, 4, 7),
      1_780_000_000_000,
    ]);
  });

  test('may have a number as its cursor', async () => {
    const { client } = await listing({ data: [], next: 17 });
    expect(await client.list(null)).toMatchObject({ kind: 'page', cursor: '17' });
  });

  test.each([null, false, '', {}, [], 'x'.repeat(3000)])('ends at the cursor %j', async (next) => {
    const { client } = await listing({ data: [], next });
    expect(await client.list(null)).toMatchObject({ kind: 'page', cursor: null });
  });

  test('has status addresses if the profile reads those from responses, and none of another origin', async () => {
    const service = await ScriptedService.start((_request, wire) =>
      wire.end(
        jsonAnswer(200, {
          data: [
            { id: `${service.url}/v1/operations/a`, metadata: { ref: 'one' } },
            { id: 'https://evil.example/v1/operations/b', metadata: { ref: 'two' } },
            { id: '/v2/elsewhere', metadata: { ref: 'three' } },
          ],
        }),
      ),
    );
    onTestFinished(() => service.stop());
    const client = testClient(service, {
      api: serviceApiSchema.parse({
        ...API,
        status: { addressAt: 'name', under: '/v1/operations/' },
        file: { kind: 'in-status' },
      }),
    });
    onTestFinished(() => client.close());
    expect(await client.list(null)).toMatchObject({
      videos: [{ remoteId: '/v1/operations/a', ownId: 'one' }],
    });
  });
});
