import { expect } from 'vitest';
import { jsonSchema } from '../../../src/contract/json.ts';
import { serviceApiSchema, type ServiceApi } from '../../../src/contract/service-profile.ts';
import { markedRequest } from '../../../src/engine/flow/marked-request.ts';
import { builtInProfile, builtInServices } from '../../../src/engine/profiles/services.ts';
import { Endpoints } from '../../../src/engine/service/endpoints.ts';
import { parseForeignJson } from '../../../src/contract/json-text.ts';
import { toMultipart } from '../../../src/engine/service/multipart.ts';
import type { HttpResponse } from '../../../src/engine/service/outcomes.ts';
import { ResponseClassifier } from '../../../src/engine/service/response-classifier.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import { fuzz, textOf } from './fuzz.ts';
import { ofJson } from './mutations.ts';

const ORIGIN = 'https://api.example.com';

/** Has both addresses and lists in responses; no built-in service has both. */
const ADDRESSED = serviceApiSchema.parse({
  generate: { path: '/v1/renders', body: 'multipart' },
  status: { addressAt: 'urls.get', under: '/v1/operations/' },
  file: { kind: 'content-in-status', addressAt: 'uri', under: '/v1/files/' },
  once: {
    idempotencyHeader: 'Idempotency-Key',
    idField: 'metadata.own',
    list: {
      path: '/v1/renders?limit=9',
      items: 'data',
      id: 'urls.get',
      ours: 'own',
      createdAt: 'at',
      nextPage: { at: 'next', parameter: 'after' },
    },
  },
});

const services = [
  { api: ADDRESSED, answers: usualRules },
  ...builtInServices.map((service) => {
    const { api, answers } = builtInProfile(service);
    return { api: api ?? serviceApiSchema.parse({}), answers };
  }),
].map(({ api, answers }) => {
  const endpoints = new Endpoints(api.origin ?? ORIGIN, api);
  const classifier = new ResponseClassifier(endpoints, answers);
  return { api, endpoints, classifier };
});

/** The path prefixes to which a response may lead. */
function prefixesOf({
  status,
  file,
  once,
}: ServiceApi): Record<'status' | 'file' | 'list', string> {
  return {
    status: 'under' in status ? status.under : status.path.split('{id}', 1).join(''),
    file: 'under' in file ? file.under : '/',
    list: once.list?.path ?? '/',
  };
}

/** Expects that a cursor changes the value of one parameter, and nothing else of the address. */
function expectPage(path: string | null | undefined, origin: string, list: string): void {
  if (path === null || path === undefined) return;
  const { pathname, searchParams, hash } = new URL(path, origin);
  const first = new URL(list, origin);
  expect([pathname, hash]).toEqual([first.pathname, '']);
  expect(searchParams.size).toBeLessThanOrEqual(first.searchParams.size + 1);
}

/** Expects an address below a prefix that means the same to every URL parser. */
function expectBelow(address: string | null | undefined, origin: string, prefix: string): void {
  if (address === null || address === undefined) return;
  const url = new URL(address, origin);
  expect([url.origin, url.username, url.password, url.hash]).toEqual([origin, '', '', '']);
  // URL parsers encode an apostrophe in a query; servers treat both the same.
  const plain = (text: string): string => text.replaceAll('%27', "'");
  expect(plain(url.href)).toBe(plain(address.startsWith('/') ? origin + address : address));
  expect(url.pathname + url.search).toSatisfy((path: string) => path.startsWith(prefix));
}

/** A response that has this text as every address, identifier and cursor. */
function answerWith(text: string): string {
  const video = { uri: text };
  return JSON.stringify({
    id: text,
    name: text,
    uri: text,
    urls: { get: text },
    next: text,
    token: text,
    response: { generateVideoResponse: { generatedSamples: [{ video }] } },
    data: [{ id: text, own: text, callback_id: text, at: 1, urls: { get: text } }],
  });
}

fuzz('addresses in the answers of a service', {
  seeds: [
    '/v1/operations/7',
    'https://api.example.com/v1/operations/7?a=b',
    'operations/9',
    'vid_1',
    'https://api.example.com/v1/files/8?a=b',
    '7',
    'models/veo/operations/9',
    'https://generativelanguage.googleapis.com/v1beta/files/a:download?alt=media',
  ],
  tokens: [
    '/v1/operations/',
    '/v1/files/',
    '/v1/',
    '/../',
    '..',
    '/./',
    '%2e%2e/',
    '%2f',
    '%5c',
    '\\',
    '//evil.example/',
    'https://evil.example/v1/operations/7',
    '@evil.example',
    ':444',
    'http:',
    '?',
    '#',
    '%',
    '\t',
    '\r\n',
    '\u2025',
    '\uff0f',
    ';',
    'a'.repeat(200),
  ],
  parse(bytes) {
    const text = textOf(bytes);
    const body = answerWith(text);
    const json = parseForeignJson(body);
    const response: HttpResponse = { status: 200, headers: {}, body, sentAt: 0, receivedAt: 1 };
    return services.map(({ api, endpoints, classifier }) => ({
      api,
      endpoints,
      status: endpoints.statusAddressIn(json),
      file: endpoints.fileAddressIn(json),
      ofId: [endpoints.status(text), endpoints.file(text), endpoints.list(text)],
      page: classifier.ofList(classifier.ofRead({ kind: 'answered', response })),
    }));
  },
  check(found, bytes) {
    const text = textOf(bytes);
    for (const { api, endpoints, status, file, ofId, page } of found) {
      const prefixes = prefixesOf(api);
      // An address with one slash or none after its scheme is a path at the service.
      const isElsewhere =
        /^[a-z][\w+.-]*:\/\//i.test(text) && URL.parse(text)?.origin !== endpoints.origin;
      for (const address of [status, file]) {
        if (isElsewhere) expect(address ?? null).toBeNull();
        // Servers decode these at different times.
        if (address) expect(address.split('?', 1)[0]?.slice(8)).not.toMatch(/%(?:2e|2f|5c)|\/\//i);
      }
      expectBelow(status, endpoints.origin, prefixes.status);
      expectBelow(file, endpoints.origin, prefixes.file);
      if (typeof status === 'string') {
        // The stored identifier is the one that is requested later.
        expect(endpoints.status(status)).toBe(status);
        expect(status.length).toBeLessThanOrEqual(200);
      }
      if (file !== null) expect(endpoints.isContent(new URL(file))).toBe(true);
      expectBelow(ofId[0], endpoints.origin, prefixes.status);
      expectBelow(ofId[1], endpoints.origin, '/');
      expectPage(ofId[2], endpoints.origin, prefixes.list);
      if (page.kind !== 'page') continue;
      for (const { remoteId } of page.videos) {
        expectBelow(endpoints.status(remoteId), endpoints.origin, prefixes.status);
      }
      if (page.cursor !== null) {
        expectPage(endpoints.list(page.cursor), endpoints.origin, prefixes.list);
      }
    }
  },
});

/** RFC 7578, as servers read it: names and contents of the parts. */
function partsOf(body: string, boundary: string): [name: string, content: string][] {
  const parts = body.split(`--${boundary}`);
  expect(parts[0]).toBe('');
  expect(parts.at(-1)).toBe('--\r\n');
  return parts.slice(1, -1).map((part) => {
    const end = part.indexOf('\r\n\r\n');
    const [, name = ''] =
      /^\r\nContent-Disposition: form-data; name="([^"\r\n]*)"$/.exec(part.slice(0, end)) ?? [];
    return [name, part.slice(end + 4, -2)];
  });
}

fuzz('requests with an identifier, as JSON and as parts', {
  mutations: ofJson,
  seeds: [
    '{"prompt":"A","seconds":4,"metadata":{"a":["b"]}}',
    '{"metadata":{"own":"x"},"id":12345678901234567890}',
    '{"metadata":[],"a\\r\\nb":"--spool-1"}',
  ],
  tokens: [
    '"metadata":',
    '"own":',
    '--spool-',
    '\\r\\n',
    '"\\"":',
    '"__proto__":',
    '{"a":',
    '1e400',
  ],
  parse(bytes) {
    const body = JSON.stringify(objectIn(textOf(bytes)));
    return { ...markedRequest(body, 'own-id', ADDRESSED), multipart: toMultipart(body) };
  },
  check({ body: sent, mark, multipart }, bytes) {
    const before = objectIn(textOf(bytes));
    const after = objectIn(sent);
    expect(Object.keys(after).toSorted()).toEqual(
      [
        ...new Set([...Object.keys(before), ...(mark.idField === null ? [] : ['metadata'])]),
      ].toSorted(),
    );
    expect(Object.prototype).not.toHaveProperty('own');
    if (mark.idField !== null) expect(sent).toContain('own-id');
    const [, boundary = ''] = /boundary=(.*)$/.exec(multipart.contentType) ?? [];
    expect(boundary).toMatch(/^spool-[0-9a-f]{40}$/);
    const parts = partsOf(multipart.body, boundary);
    expect(parts).toHaveLength(Object.keys(before).length);
    for (const [name] of parts) expect(name).not.toMatch(/["\r\n]/);
  },
});

/** The stored form of a request: an object that `JSON.stringify` has written. */
function objectIn(text: string): Record<string, unknown> {
  try {
    const json: unknown = jsonSchema.parse(JSON.parse(text));
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  } catch {
    // Any other input is one property.
  }
  return { text: text.toWellFormed() };
}
