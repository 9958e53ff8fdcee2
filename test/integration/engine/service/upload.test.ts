import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
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

function clientWith(part: string | null): ServiceClient {
  const upload = { path: '/v1/files', part, at: 'urls.get', lifeMs: LIFE_MS };
  return testClient(service, { api: { ...DOCUMENTED_API, upload } });
}

beforeAll(async () => {
  certificate = await issueCertificate();
});

beforeEach(async () => {
  service = await ScriptedService.start(() => undefined, certificate);
  client = clientWith('content');
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
