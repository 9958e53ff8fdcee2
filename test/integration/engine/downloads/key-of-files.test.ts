import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../../../src/engine/downloads/connections.ts';
import { open, type OpenResponse } from '../../../../src/engine/downloads/response.ts';
import { withoutSecret } from '../../../../src/engine/service/redaction.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { FaultServer, type Script } from '../../../rigs/fault-server.ts';

const KEY = 'svc_live_0123456789abcdefghijKLMNOP';
const OK: Script = () => ({
  status: 200,
  headers: { 'Content-Length': 2 },
  body: Buffer.from('ok'),
});

let service: FaultServer;
let other: FaultServer;
const traced: string[] = [];

beforeEach(async () => {
  service = await FaultServer.start(OK);
  other = await FaultServer.start(OK);
  traced.length = 0;
  onTestFinished(() => service.stop());
  onTestFinished(() => other.stop());
});

/** Returns the response's status. */
async function request(...args: Parameters<typeof answerTo>): Promise<number> {
  return (await answerTo(...args)).status;
}

/** Requests a file that needs the key. */
function requestFile(): ReturnType<typeof answerTo> {
  return answerTo({ url: service.url('/v1/videos/a/content'), needsKey: true });
}

async function answerTo(
  link: { readonly url: string; readonly needsKey?: true },
  onlyOrigins: readonly string[] | null = null,
): Promise<Pick<OpenResponse, 'status' | 'headers'>> {
  const exceptions = [service, other].map(({ origin }) => ({ origin }));
  const { status, headers, body } = await open(
    link,
    { 'accept-encoding': 'identity' },
    {
      connections: new Connections({ exceptions, onlyOrigins }),
      clock: systemClock,
      keyFor: ({ origin, pathname }) =>
        origin === service.origin && pathname.startsWith('/v1/videos/')
          ? {
              headers: { authorization: `Bearer ${KEY}` },
              removeFrom: (text) => withoutSecret(text, KEY),
            }
          : null,
      trace: (fields) => traced.push(JSON.stringify(fields)),
    },
    new AbortController().signal,
  );
  body.close();
  return { status, headers };
}

function keysAt(server: FaultServer): (string | undefined)[] {
  return server.requests.map(({ headers }) => headers.get('authorization'));
}

function redirectTo(location: string): Script {
  return ({ path }) =>
    path === '/v1/videos/a/content'
      ? { status: 302, headers: { Location: location, 'Content-Length': 0 } }
      : { status: 200, headers: { 'Content-Length': 0 } };
}

// abuse.md 56
describe('a file that needs the key', () => {
  test('is requested with the key, which no trace contains', async () => {
    await request({ url: service.url('/v1/videos/a/content'), needsKey: true });

    expect(keysAt(service)).toEqual([`Bearer ${KEY}`]);
    expect(service.requests[0]?.headers.get('accept-encoding')).toBe('identity');
    expect(traced.join()).not.toContain(KEY);
    expect(traced).toHaveLength(2);
  });

  test('is followed to another origin without the key', async () => {
    service.script = redirectTo(other.url('/file.mp4'));

    await request({ url: service.url('/v1/videos/a/content'), needsKey: true });

    expect(keysAt(service)).toEqual([`Bearer ${KEY}`]);
    expect(keysAt(other)).toEqual([undefined]);
  });

  test.each(['/v1/videos/b/content', '/v1/account', 'c'])(
    'is followed within its own origin without the key too: %s',
    async (location) => {
      service.script = redirectTo(location);

      await request({ url: service.url('/v1/videos/a/content'), needsKey: true });

      expect(keysAt(service)).toEqual([`Bearer ${KEY}`, undefined]);
    },
  );

  test('is followed back from another origin without the key', async () => {
    service.script = redirectTo(other.url('/back'));
    other.script = () => ({
      status: 302,
      headers: { Location: service.url('/v1/videos/b/content'), 'Content-Length': 0 },
    });

    await request({ url: service.url('/v1/videos/a/content'), needsKey: true });

    expect(keysAt(service)).toEqual([`Bearer ${KEY}`, undefined]);
    expect(keysAt(other)).toEqual([undefined]);
  });

  test('gets the key only at paths that the service names, and only if the link needs it', async () => {
    await request({ url: other.url('/v1/videos/a/content'), needsKey: true });
    await request({ url: service.url('/elsewhere'), needsKey: true });
    await request({ url: service.url('/v1/videos/a/content') });

    expect(keysAt(other)).toEqual([undefined]);
    expect(keysAt(service)).toEqual([undefined, undefined]);
  });
});

// abuse.md 17, 56
describe('a service that echoes the key of a file', () => {
  test('in its headers leaves it in no trace and no download record', async () => {
    service.script = () => ({
      status: 200,
      headers: { ETag: `"${KEY}"`, 'Content-Type': `video/${KEY}`, 'Content-Length': 0 },
    });

    const { headers } = await requestFile();

    expect(headers.get('etag')).toBe('"[API key]"');
    expect(traced.join()).not.toContain(KEY);
  });

  test.each([
    ['the path', (key: string) => `/${key}/file.mp4`],
    ['the query', (key: string) => `/file.mp4?key=${key}`],
    ['the query, encoded', (key: string) => `/file.mp4?key=${key.replaceAll('_', '%5F')}`],
  ])('in %s of a redirect sends it nowhere', async (_where, pathOf) => {
    service.script = redirectTo(other.url(pathOf(KEY)));

    await request({ url: service.url('/v1/videos/a/content'), needsKey: true });

    expect(other.requests.map(({ path }) => decodeURIComponent(path)).join()).not.toContain(KEY);
    expect(traced.join()).not.toContain(KEY);
  });
});

test('the signature in the address of a redirect is in no trace', async () => {
  service.script = redirectTo(other.url('/file.mp4?expires=1&signature=c2VjcmV0'));

  await request({ url: service.url('/v1/videos/a/content') });

  expect(other.requests.map(({ path }) => path)).toEqual([
    '/file.mp4?expires=1&signature=c2VjcmV0',
  ]);
  expect(traced).toHaveLength(4);
  expect(traced.join()).not.toContain('c2VjcmV0');
});

// abuse.md 56
describe('origins that links may have', () => {
  test('a link to another origin is refused before connecting', async () => {
    await expect(request({ url: other.url() }, [service.origin])).rejects.toMatchObject({
      code: 'address-refused',
      userMessage: { says: [{ sentence: 'link-of-other-origin' }] },
    });
    expect(other.requests).toEqual([]);
  });

  test('a redirect to another origin is refused as well', async () => {
    service.script = redirectTo(other.url('/file.mp4'));

    await expect(
      request({ url: service.url('/v1/videos/a/content') }, [service.origin]),
    ).rejects.toMatchObject({ code: 'address-refused' });
    expect(other.requests).toEqual([]);
  });

  test('a link to a listed origin is allowed', async () => {
    await expect(request({ url: other.url() }, [service.origin, other.origin])).resolves.toBe(200);
  });
});
