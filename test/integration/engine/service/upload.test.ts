import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DOCUMENTED_API, type ServiceApi } from '../../../../src/contract/service-profile.ts';
import type { ServiceClient } from '../../../../src/engine/service/service-client.ts';
import { toMultipart } from '../../../../src/engine/service/multipart.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { noisePng } from '../../../rigs/pictures.ts';
import { jsonAnswer, ScriptedService } from '../../../rigs/scripted-service.ts';
import { TEST_KEY as KEY, testClient } from '../../../rigs/test-client.ts';

const PNG = noisePng(40, 30);
const FILE = { property: 'image', fileName: 'picture.png', mediaType: 'image/png', bytes: PNG };
const LIFE_MS = 86_400_000;

let certificate: TestCertificate;
let service: ScriptedService;
let client: ServiceClient;

type UploadFacts = NonNullable<ServiceApi['upload']>;

function clientWith(changes: Partial<UploadFacts>): ServiceClient {
  const upload: UploadFacts = {
    ...{ origin: null, path: '/v1/files', part: 'content', at: 'urls.get', as: 'text' },
    lifeMs: LIFE_MS,
    ...changes,
  };
  return testClient(service, { api: { ...DOCUMENTED_API, upload } });
}

/** Another server that requests are answered by; returns what it was asked. */
async function otherServer(answer: (wire: TLSSocket) => void) {
  const heard: string[] = [];
  const server = await ScriptedService.start((request, wire) => {
    heard.push(`${request.method} ${request.path} ${request.headers.get('x-api-key')}`);
    answer(wire);
  }, certificate);
  onTestFinished(() => server.stop());
  return { origin: new URL(server.url).origin, heard };
}

/** Replaces the client by one whose profile has these facts. */
async function useClientWith(changes: Partial<UploadFacts>): Promise<void> {
  await client.close();
  client = clientWith(changes);
}

beforeAll(async () => {
  certificate = await issueCertificate();
});

beforeEach(async () => {
  service = await ScriptedService.start(() => undefined, certificate);
  client = clientWith({});
});

afterEach(async () => {
  await client.close();
  await service.stop();
});

test('a file is uploaded to the profile’s endpoint with the key, and named by the answer', async () => {
  const heads: string[] = [];
  service.script = (request, wire) => {
    heads.push(`${request.method} ${request.path} ${request.headers.get('x-api-key')}`);
    wire.write(jsonAnswer(201, { urls: { get: 'https://files.example/1' } }));
  };
  expect(await client.upload(FILE)).toEqual({
    kind: 'uploaded',
    value: 'https://files.example/1',
    lifeMs: LIFE_MS,
  });
  expect(heads).toEqual([`POST /v1/files ${KEY}`]);
});

// abuse.md 71
test.each([301, 302, 307, 308])(
  'a redirect %d to another host gets neither the file nor the key',
  async (status) => {
    const heard: string[] = [];
    const other = await ScriptedService.start((request) => {
      heard.push(request.path);
    }, certificate);
    onTestFinished(() => other.stop());
    service.script = (_request, wire) =>
      wire.write(jsonAnswer(status, {}, { location: `${other.url}/v1/files` }));
    expect(await client.upload(FILE)).toMatchObject({
      kind: 'unavailable',
      failure: { code: 'service-unreachable' },
    });
    expect(heard).toEqual([]);
  },
);

// abuse.md 71
test('a file goes to the profile’s address of uploads with the key, and no other request does', async () => {
  const asked: string[] = [];
  service.script = (request, wire) => {
    asked.push(request.path);
    wire.write(jsonAnswer(200, { status: 'queued' }));
  };
  const other = await otherServer((wire) => wire.write(jsonAnswer(200, { data: { id: 'as_1' } })));
  await useClientWith({ origin: other.origin, path: '/v1/asset', part: null, at: 'data.id' });
  expect(await client.upload(FILE)).toMatchObject({ kind: 'uploaded', value: 'as_1' });
  await client.status('v1');
  expect(other.heard).toEqual([`POST /v1/asset ${KEY}`]);
  expect(asked).toEqual(['/api/v1/video/status/v1']);
});

// abuse.md 71
test.each([301, 302, 307, 308])(
  'a redirect %d of the address of uploads is not followed, not even to the service itself',
  async (status) => {
    const asked: string[] = [];
    service.script = (request, wire) => {
      asked.push(request.path);
      wire.write(jsonAnswer(200, {}));
    };
    const location = `${service.url}/v1/files`;
    const other = await otherServer((wire) => wire.write(jsonAnswer(status, {}, { location })));
    await useClientWith({ origin: other.origin });
    expect(await client.upload(FILE)).toMatchObject({ kind: 'unavailable' });
    expect([other.heard.length, asked]).toEqual([1, []]);
  },
);

test('a failure of the address of uploads names its host', async () => {
  const other = await otherServer((wire) => wire.write(jsonAnswer(404, {})));
  await useClientWith({ origin: other.origin });
  const { host } = new URL(other.origin);
  expect(await client.upload(FILE)).toMatchObject({
    kind: 'no-endpoint',
    failure: { message: expect.stringContaining(`${host} takes no files at /v1/files`) as string },
  });
});

test.each([
  ['text', 123, '123'],
  ['text', 'as_1', 'as_1'],
  ['number', 123, 123],
  ['number', '123', 123],
  ['number', 'as_1', null],
  ['number', '', null],
  ['text', 1.5, null],
  ['text', 2 ** 53, '9007199254740992'],
  ['number', 2 ** 53, null],
  ['text', true, null],
] as const)('an identifier as %s, answered as %j, is %j', async (as, id, value) => {
  service.script = (_request, wire) => wire.write(jsonAnswer(200, { id }));
  await useClientWith({ at: 'id', as });
  expect(await client.upload(FILE)).toMatchObject(
    value === null ? { kind: 'unavailable' } : { kind: 'uploaded', value },
  );
});

test.each([404, 405, 410])(
  'an upload address that answers %d is the profile’s fault',
  async (status) => {
    service.script = (_request, wire) => wire.write(jsonAnswer(status, {}));
    const { host } = new URL(service.url);
    expect(await client.upload(FILE)).toMatchObject({
      kind: 'no-endpoint',
      failure: {
        code: 'picture-unusable',
        message: `${host} takes no files at /v1/files (status ${status}). Correct the service’s profile (“upload”), and release this video.`,
      },
    });
  },
);

test.each([
  [413, {}, 'refused'],
  [400, {}, 'refused'],
  [401, {}, 'unavailable'],
  [429, {}, 'unavailable'],
  [503, {}, 'unavailable'],
  [200, { urls: {} }, 'unavailable'],
  [302, {}, 'unavailable'],
])('an answer %s %j means that the file is %s', async (status, body, kind) => {
  service.script = (_request, wire) => wire.write(jsonAnswer(status, body));
  expect(await client.upload(FILE)).toMatchObject({ kind });
});

test('a form has the file’s bytes unchanged beside the other properties', async () => {
  const { contentType, body } = toMultipart('{"prompt":"Größe","seconds":4}', [
    { ...FILE, property: 'input_reference' },
  ]);
  const form = await new Response(Buffer.from(body), {
    headers: { 'content-type': contentType },
  }).formData();
  expect([...form.keys()]).toEqual(['prompt', 'seconds', 'input_reference']);
  expect([form.get('prompt'), form.get('seconds')]).toEqual(['Größe', '4']);
  const file = form.get('input_reference') as File;
  expect([file.name, file.type]).toEqual(['picture.png', 'image/png']);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
  expect(toMultipart('{}', [FILE])).toEqual(toMultipart('{}', [FILE]));
});
