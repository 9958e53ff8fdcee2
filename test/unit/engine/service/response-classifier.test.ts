import { describe, expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import type { AnswerRules } from '../../../../src/contract/answer-rules.ts';
import type { Failure } from '../../../../src/contract/failure.ts';
import type { Break, ExchangeResult } from '../../../../src/engine/service/exchange.ts';
import type { HttpResponse } from '../../../../src/engine/service/outcomes.ts';
import { ResponseClassifier } from '../../../../src/engine/service/response-classifier.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { joinMessages, userMessage } from '../../../../src/contract/user-message.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';

/**
 * Tests every rule of the classifier at its edges. `service-client.test.ts` tests over a real
 * connection that the client applies them.
 */

const ENDPOINTS = new Endpoints('https://service.example', DOCUMENTED_API);
const classifier = new ResponseClassifier(ENDPOINTS, usualRules);
const LOST: Break = { why: 'connection', code: 'ECONNRESET' };
const RECEIVED_AT = 1;
const PAGE = '<h1>Welcome</h1>';

function responseOf(
  status: number,
  body: unknown,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text, sentAt: 0, receivedAt: RECEIVED_AT };
}
const answered = (response: HttpResponse): ExchangeResult => ({ kind: 'answered', response });
const broken = (response: HttpResponse | null): ExchangeResult => ({
  kind: 'broken',
  cause: LOST,
  response,
});
const notSent: ExchangeResult = { kind: 'not-sent', cause: LOST };

describe('a request for a video', () => {
  test.each([
    [199, { id: 'v1' }, 'unknown', 'outcome-unknown'],
    [200, { id: 'v1' }, 'accepted', undefined],
    [299, { id: 'v1', success: true }, 'accepted', undefined],
    [300, { id: 'v1' }, 'unknown', 'outcome-unknown'],
    [200, { id: 'v1', success: false }, 'unknown', 'outcome-unknown'],
    [200, PAGE, 'unknown', 'outcome-unknown'],
    [399, {}, 'unknown', 'outcome-unknown'],
    [400, {}, 'rejected', 'service-refused'],
    [401, {}, 'key-refused', 'key-refused'],
    [402, {}, 'quota-used-up', 'quota-used-up'],
    [408, {}, 'unknown', 'outcome-unknown'],
    [429, {}, 'rate-limited', undefined],
    [429, { code: 'QUOTA_EXCEEDED' }, 'quota-used-up', 'quota-used-up'],
    [499, {}, 'rejected', 'service-refused'],
    [500, {}, 'server-error', 'outcome-unknown'],
    [599, { id: 'v1' }, 'server-error', 'outcome-unknown'],
  ])('that is answered with %i %j is %s', (status, body, kind, code) => {
    const response = responseOf(status, body);
    expect(classifier.ofGenerate(answered(response))).toMatchObject({
      kind,
      response,
      ...(code === undefined ? {} : { failure: { code } }),
    });
  });

  test('that is accepted has the identifier that the service gave', () => {
    const outcome = classifier.ofGenerate(answered(responseOf(200, { id: 'v1' })));
    expect(outcome).toMatchObject({ remoteId: 'v1' });
  });

  test.each([
    [400, {}, 'video'],
    [409, {}, 'video'],
    [422, {}, 'video'],
    [400, PAGE, 'service'],
    [400, 'null', 'service'],
    [400, '"no"', 'service'],
    [413, PAGE, 'video'],
    [403, {}, 'service'],
    [404, {}, 'service'],
  ])('that is refused with %i %j is a refusal about the %s', (status, body, about) => {
    const outcome = classifier.ofGenerate(answered(responseOf(status, body)));
    expect(outcome).toMatchObject({ kind: 'rejected', about });
  });

  test.each([
    [
      { details: { issues: [{ path: '/scenes/0/text', reason: 'must have text' }] } },
      [{ path: 'scenes[0].text', detail: 'must have text' }],
    ],
    [
      { detail: [{ loc: ['body', 'image_urls', 1], msg: 'Not a picture.', type: 'image' }] },
      [{ path: 'image_urls[1]', detail: 'Not a picture.' }],
    ],
    [
      { error: { message: 'Too long.', param: 'prompt', code: null } },
      [{ path: 'prompt', detail: 'Too long.' }],
    ],
    [{ issues: [{ path: ['ratio'] }] }, [{ path: 'ratio', detail: null }]],
    [{ detail: 'Not now.', errors: ['x', null, { field: {} }, { field: '..' }] }, undefined],
    [{ detail: [{ loc: ['a.b'] }, { loc: [] }, { loc: Array(99).fill('a') }] }, undefined],
    [{ detail: [{ loc: ['body', 'x'.repeat(201)] }] }, undefined],
  ])('that is refused with %j names the fields', (body, fields) => {
    const outcome = classifier.ofGenerate(answered(responseOf(422, body)));
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code: 'service-refused' } });
    expect((outcome as { failure: Failure }).failure.fields).toEqual(fields);
  });

  test('that is refused names at most 20 fields, with short texts', () => {
    const issues = Array.from({ length: 99 }, () => ({ path: '/a', reason: 'x'.repeat(9999) }));
    const outcome = classifier.ofGenerate(answered(responseOf(400, { details: { issues } })));
    const { fields = [] } = (outcome as { failure: Failure }).failure;
    expect(fields).toHaveLength(20);
    expect(fields[0]?.detail).toHaveLength(500);
  });

  test.each([
    ['', 'The service refused this video and gave no reason (it answered 422). It cost nothing.'],
    ['{}', 'The service refused this video and gave no reason (it answered 422). It cost nothing.'],
    ['{"message":"No."}', 'The service refused this video. It cost nothing.'],
  ])('that is refused with “%s” states whether there is a reason', (body, message) => {
    expect(classifier.ofGenerate(answered(responseOf(422, body)))).toMatchObject({
      failure: { message },
    });
  });

  test('that is cut off is a refusal if its status says so, and otherwise unknown', () => {
    expect(classifier.ofGenerate(broken(responseOf(429, '')))).toMatchObject({
      kind: 'rate-limited',
    });
    expect(classifier.ofGenerate(broken(responseOf(400, '{}')))).toMatchObject({
      kind: 'rejected',
    });
    expect(classifier.ofGenerate(broken(responseOf(402, '{}')))).toMatchObject({
      kind: 'quota-used-up',
    });
    expect(classifier.ofGenerate(broken(responseOf(500, '{}')))).toMatchObject({ kind: 'unknown' });
    const partial = responseOf(200, '{"id":"v1"}');
    expect(classifier.ofGenerate(broken(partial))).toMatchObject({
      kind: 'unknown',
      failure: { code: 'outcome-unknown' },
      response: partial,
    });
    expect(classifier.ofGenerate(broken(null))).toMatchObject({ kind: 'unknown', response: null });
  });

  test('that was never sent is reported as such', () => {
    expect(classifier.ofGenerate(notSent)).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'service-unreachable' },
    });
  });
});

describe('a read', () => {
  const LIMITED = { 'x-ratelimit-remaining': '3' };

  test.each([
    [199, {}, {}, 'unusable', 'answer-unreadable'],
    [200, { a: 1 }, {}, 'answered', undefined],
    [299, { a: 1 }, {}, 'answered', undefined],
    [300, { a: 1 }, {}, 'unusable', 'service-unreachable'],
    [200, { success: false }, {}, 'unusable', 'answer-unreadable'],
    [200, 'null', {}, 'unusable', 'answer-unreadable'],
    [200, PAGE, {}, 'unusable', 'answer-unreadable'],
    [400, {}, {}, 'unusable', 'service-refuses-all'],
    [401, PAGE, {}, 'key-refused', 'key-refused'],
    [404, {}, {}, 'not-found', 'video-unknown'],
    [404, PAGE, {}, 'unusable', 'service-refuses-all'],
    [404, PAGE, LIMITED, 'not-found', 'video-unknown'],
    [404, PAGE, { ratelimit: '"a";r=1;t=2' }, 'not-found', 'video-unknown'],
    [404, PAGE, { 'ratelimit-remaining': '1' }, 'not-found', 'video-unknown'],
    [404, PAGE, { server: 'nginx' }, 'unusable', 'service-refuses-all'],
    [410, {}, {}, 'expired', 'video-expired'],
    [410, PAGE, LIMITED, 'expired', 'video-expired'],
    [410, PAGE, {}, 'unusable', 'service-refuses-all'],
    [403, { code: 'VIDEO_EXPIRED' }, {}, 'expired', 'video-expired'],
    [403, { code: 'OTHER' }, {}, 'unusable', 'service-refuses-all'],
    [200, { code: 'VIDEO_EXPIRED' }, {}, 'answered', undefined],
    [200, { code: 'VIDEO_EXPIRED', success: false }, {}, 'expired', 'video-expired'],
    [499, { code: 'VIDEO_EXPIRED' }, {}, 'expired', 'video-expired'],
    [500, { code: 'VIDEO_EXPIRED' }, {}, 'server-error', 'service-unreachable'],
    [599, { a: 1 }, LIMITED, 'server-error', 'service-unreachable'],
    [429, PAGE, {}, 'rate-limited', undefined],
  ])('that is answered with %i %j %j is %s', (status, body, headers, kind, code) => {
    const response = responseOf(status, body, headers);
    expect(classifier.ofRead(answered(response))).toMatchObject({
      kind,
      response,
      ...(code === undefined ? {} : { failure: { code } }),
    });
  });

  test('that is cut off is classified by its status if that is enough', () => {
    const lost = { code: 'service-unreachable' };
    expect(classifier.ofRead(broken(responseOf(401, '')))).toMatchObject({ kind: 'key-refused' });
    expect(classifier.ofRead(broken(responseOf(429, '')))).toMatchObject({ kind: 'rate-limited' });
    for (const status of [404, 410, 500]) {
      expect(classifier.ofRead(broken(responseOf(status, '{}')))).toMatchObject({
        kind: 'unusable',
      });
    }
    const partial = responseOf(200, '{"a":1}');
    expect(classifier.ofRead(broken(partial))).toMatchObject({
      kind: 'unusable',
      failure: lost,
      response: partial,
    });
    expect(classifier.ofRead(broken(null))).toMatchObject({ kind: 'unusable', response: null });
    expect(classifier.ofRead(notSent)).toMatchObject({
      kind: 'unreachable',
      failure: lost,
      response: null,
    });
  });
});

describe('the outcome of a read', () => {
  const read = (status: number, body: unknown) =>
    classifier.ofRead(answered(responseOf(status, body)));
  const signed = 'https://a.example/v.mp4?signature=s3cret';

  test('a status is read, and a failed read keeps its outcome', () => {
    expect(classifier.ofStatus(read(200, { status: 'done', url: signed }))).toMatchObject({
      kind: 'status',
      status: { state: 'done' },
      response: { status: 200 },
    });
    expect(classifier.ofStatus(read(409, {}))).toMatchObject({ kind: 'unusable' });
  });

  test.each([
    [200, { downloadUrl: signed }, 'link'],
    [200, { downloadUrl: null }, 'not-ready'],
    [200, { downloadUrl: 'http://a.example/v.mp4' }, 'no-link'],
    [409, {}, 'not-ready'],
    [425, {}, 'not-ready'],
    [409, { code: 'VIDEO_EXPIRED' }, 'expired'],
    [400, {}, 'unusable'],
    [404, {}, 'not-found'],
  ])('of a link, %i %j is %s', (status, body, kind) => {
    const outcome = classifier.ofLink(read(status, body));
    expect(outcome).toMatchObject({ kind, response: { status } });
    expect(outcome.response?.body).not.toContain('s3cret');
  });

  test('a link is not reported as not ready when the connection breaks or never opened', () => {
    expect(classifier.ofLink(classifier.ofRead(broken(null)))).toMatchObject({ kind: 'unusable' });
    expect(classifier.ofLink(classifier.ofRead(notSent))).toMatchObject({ kind: 'unreachable' });
  });

  test('an unusable link has a message of its own', () => {
    const unusable = classifier.ofLink(read(200, { downloadUrl: 'http://a.example/v.mp4' }));
    const odd = classifier.ofStatus(read(200, PAGE));
    if (unusable.kind !== 'no-link' || odd.kind !== 'unusable') throw new Error('usable');
    expect(unusable.failure.message).not.toBe(odd.failure.message);
  });

  test('a stored unreadable answer has no signed link in it', () => {
    const kept = read(500, { url: signed }).response?.body;
    expect(kept).toContain('v.mp4');
    expect(kept).not.toContain('s3cret');
  });

  test.each([
    ...[200, 400, 402, 409, 422, 404, 410, 429].map((status) => [status, {}, 'accepted'] as const),
    // A proxy or a hotel's network may answer like this.
    ...[200, 400, 402, 409, 422].map((status) => [status, PAGE, 'unusable'] as const),
    [401, {}, 'key-refused'],
    [403, {}, 'unusable'],
    [404, PAGE, 'unusable'],
    [500, {}, 'unusable'],
  ] as const)('of a key, %i %j is %s', (status, body, kind) => {
    expect(classifier.ofKeyCheck(read(status, body))).toMatchObject({ kind, response: { status } });
  });

  test('a key is neither accepted nor refused without an answer', () => {
    const lost = classifier.ofRead(broken(null));
    expect(classifier.ofKeyCheck(lost)).toMatchObject({ kind: 'unusable', response: null });
    expect(classifier.ofKeyCheck(classifier.ofRead(notSent))).toMatchObject({
      kind: 'unreachable',
    });
  });
});

describe('a service that refuses keys with 400 and quotas with 401', () => {
  const rules: AnswerRules = {
    ...usualRules,
    keyRefusal: { statuses: [400], phrases: ['invalid API key'] },
    quotaRefusal: { ...usualRules.quotaRefusal, statuses: [401] },
  };
  const own = new ResponseClassifier(ENDPOINTS, rules);

  test.each([
    [400, { message: 'Error: Invalid API Key' }, 'key-refused'],
    [400, { error: { message: 'Invalid API key.' } }, 'key-refused'],
    [400, { message: 'The key “src” is missing' }, 'rejected'],
    [403, { message: 'Invalid API key' }, 'rejected'],
    [401, { message: 'You exceeded the quota of movies' }, 'quota-used-up'],
  ])('a request for a video that is answered with %i %j is %s', (status, body, kind) => {
    expect(own.ofGenerate(answered(responseOf(status, body)))).toMatchObject({ kind });
  });

  test('a read about a video reports that the key is refused', () => {
    const reading = own.ofRead(answered(responseOf(400, { message: 'Invalid API Key' })));
    expect(reading).toMatchObject({ kind: 'key-refused' });
    expect(own.ofKeyCheck(reading)).toMatchObject({ kind: 'key-refused' });
  });

  test('a 401 that names the quota is about the key where no profile says otherwise', () => {
    const response = responseOf(401, { code: 'QUOTA_EXCEEDED' });
    expect(classifier.ofGenerate(answered(response))).toMatchObject({ kind: 'key-refused' });
  });
});

describe('a service whose statuses contain links', () => {
  const HOUR_MS = 3_600_000;
  const url = 'https://files.example/v.mp4';
  const inStatus = (lifeMs: number | null) =>
    new ResponseClassifier(
      new Endpoints('https://service.example', {
        ...DOCUMENTED_API,
        file: { kind: 'in-status', lifeMs },
      }),
      usualRules,
    );
  const finished = (body: object, headers: HttpResponse['headers'] = {}) =>
    classifier.ofRead(answered(responseOf(200, { status: 'done', ...body }, headers)));

  test('gives the link of a finished video with its status', () => {
    const own = inStatus(null);
    expect(own.ofStatus(finished({ downloadUrl: url }))).toMatchObject({
      kind: 'status',
      link: { url, expiresAt: null },
    });
    expect(own.ofStatus(finished({}))).toMatchObject({ kind: 'status', link: null });
    const unfinished = answered(responseOf(200, { status: 'unknown word', downloadUrl: url }));
    expect(own.ofStatus(own.ofRead(unfinished))).toMatchObject({ kind: 'status', link: null });
  });

  test('gives no link where the profile says that another request does', () => {
    expect(classifier.ofStatus(finished({ downloadUrl: url }))).toMatchObject({
      kind: 'status',
      link: null,
    });
    expect(classifier.ofLinkInStatus(finished({ downloadUrl: url }), null)).toMatchObject({
      kind: 'not-ready',
    });
  });

  const DAY = '2026-11-27T00:00:00Z';
  const DATE = 'Thu, 26 Nov 2026 08:30:00 GMT';

  test.each([
    ['by the service’s clock', { date: DATE }, {}, Date.parse(DATE) + HOUR_MS],
    ['by ours without one', {}, {}, RECEIVED_AT + HOUR_MS],
    ['by ours if the service’s is no moment', { date: 'today' }, {}, RECEIVED_AT + HOUR_MS],
    ['not, if the response says when it ends', {}, { expiresAt: DAY }, Date.parse(DAY)],
  ])('counts a link’s life %s', (_, headers, body, expiresAt) => {
    const reading = finished({ downloadUrl: url, ...body }, headers);
    expect(inStatus(HOUR_MS).ofStatus(reading)).toMatchObject({ link: { url, expiresAt } });
  });

  test('reports an unusable link as such, whatever its life', () => {
    const odd = finished({ downloadUrl: 'http://files.example/v.mp4' });
    expect(inStatus(HOUR_MS).ofLinkInStatus(odd, null)).toMatchObject({ kind: 'no-link' });
  });

  test('needs no request for a link that is known', () => {
    const known = { url: 'https://files.example/known.mp4', expiresAt: 5 };
    const own = inStatus(null);
    expect(own.ofLinkInStatus(finished({ downloadUrl: url }), known)).toMatchObject({
      kind: 'link',
      link: known,
    });
    expect(own.ofLinkInStatus(finished({ downloadUrl: url }), null)).toMatchObject({
      kind: 'link',
      link: { url },
    });
    const working = own.ofRead(
      answered(responseOf(200, { status: 'processing', downloadUrl: url })),
    );
    expect(own.ofLinkInStatus(working, known)).toMatchObject({
      kind: 'not-ready',
      response: { status: 200 },
    });
    const refused = own.ofRead(answered(responseOf(401, {})));
    expect(own.ofLinkInStatus(refused, known)).toMatchObject({ kind: 'key-refused' });
  });
});

describe('a service whose responses contain addresses', () => {
  const own = new ResponseClassifier(
    new Endpoints('https://service.example', {
      ...DOCUMENTED_API,
      status: { addressAt: 'links.status', under: '/jobs/', everyMs: null },
      file: { kind: 'content-in-status', addressAt: 'links.file', under: '/files/' },
    }),
    usualRules,
  );
  const finished = (file: string) =>
    own.ofRead(answered(responseOf(200, { status: 'done', links: { file } })));

  test('identifies a video by the address of its status', () => {
    const accepted = responseOf(200, { id: 'v1', links: { status: '/jobs/v1/status' } });
    expect(own.ofGenerate(answered(accepted))).toMatchObject({
      kind: 'accepted',
      remoteId: '/jobs/v1/status',
    });
  });

  test('may have accepted a video whose status would be elsewhere, and says why', () => {
    const elsewhere = responseOf(200, { id: 'v1', links: { status: 'https://else.example/v1' } });
    const outcome = own.ofGenerate(answered(elsewhere));
    const other = classifier.ofGenerate(answered(responseOf(200, {})));
    if (outcome.kind !== 'unknown' || other.kind !== 'unknown') throw new Error('known');
    expect(outcome.failure.message).not.toBe(other.failure.message);
  });

  test('has files that need the key, at its own addresses only', () => {
    expect(own.ofLinkInStatus(finished('/files/v1.mp4'), null)).toMatchObject({
      kind: 'link',
      link: { url: 'https://service.example/files/v1.mp4', expiresAt: null, needsKey: true },
    });
    const elsewhere = own.ofLinkInStatus(finished('https://else.example/v1.mp4'), null);
    if (elsewhere.kind !== 'no-link') throw new Error('usable');
    expect(elsewhere.failure.says).toContainEqual({
      sentence: 'file-address-elsewhere',
      values: {},
    });
  });
});

describe('a request to cancel', () => {
  const LIMITED = { 'x-ratelimit-remaining': '3' };

  test.each([
    [200, { status: 'cancelled' }, {}, 'cancelled'],
    [200, { status: 'processing' }, {}, 'cancelled'],
    [202, { success: true }, {}, 'cancelled'],
    [200, { status: 'done' }, {}, 'finished'],
    [204, '', {}, 'cancelled'],
    [200, ' \n', {}, 'cancelled'],
    [200, { success: false }, {}, 'refused'],
    [200, PAGE, {}, 'unusable'],
    [200, PAGE, LIMITED, 'refused'],
    [400, {}, {}, 'refused'],
    [409, {}, {}, 'refused'],
    [403, PAGE, {}, 'unusable'],
    [400, '', {}, 'unusable'],
    [404, {}, {}, 'not-found'],
    [410, {}, {}, 'expired'],
    [401, {}, {}, 'key-refused'],
    [429, {}, {}, 'rate-limited'],
    [302, {}, {}, 'unusable'],
    [408, {}, {}, 'unusable'],
    [500, {}, {}, 'server-error'],
  ])('that is answered with %i %j %j is %s', (status, body, headers, kind) => {
    const reading = classifier.ofRead(answered(responseOf(status, body, headers)));
    expect(classifier.ofCancel(reading)).toMatchObject({ kind, response: { status } });
  });

  test('that has no answer is unusable', () => {
    const lost = classifier.ofRead(broken(null));
    expect(classifier.ofCancel(lost)).toMatchObject({ kind: 'unusable', response: null });
    const offline = classifier.ofRead(notSent);
    expect(classifier.ofCancel(offline)).toMatchObject({ kind: 'unreachable' });
  });
});

describe('a request for the list of videos', () => {
  const list = {
    path: '/videos',
    items: 'data',
    id: 'id',
    ours: 'ours',
    createdAt: null,
    nextPage: { at: 'next', parameter: 'after' },
  };
  const own = new ResponseClassifier(
    new Endpoints('https://service.example', {
      ...DOCUMENTED_API,
      once: { ...DOCUMENTED_API.once, list },
    }),
    usualRules,
  );
  const page = responseOf(200, { data: [{ id: 'v1', ours: 'row-1' }], next: 'p2' });

  test('has a page', () => {
    expect(own.ofList(own.ofRead(answered(page)))).toMatchObject({
      kind: 'page',
      videos: [{ remoteId: 'v1', ownId: 'row-1', createdAt: null }],
      cursor: 'p2',
      response: { status: 200 },
    });
  });

  test('is unusable without a list, and keeps the outcome of a failed read', () => {
    const other = own.ofRead(answered(responseOf(200, { items: [] })));
    expect(own.ofList(other)).toMatchObject({ kind: 'unusable', response: { status: 200 } });
    expect(classifier.ofList(classifier.ofRead(answered(page)))).toMatchObject({
      kind: 'unusable',
    });
    expect(own.ofList(own.ofRead(answered(responseOf(401, {}))))).toMatchObject({
      kind: 'key-refused',
    });
  });
});

describe('a request for the balance', () => {
  const balance = {
    path: '/account',
    at: 'credits',
    unit: 'credit' as const,
    currency: null,
    factor: 1,
    where: null,
  };
  const own = new ResponseClassifier(
    new Endpoints('https://service.example', {
      ...DOCUMENTED_API,
      cost: { ...DOCUMENTED_API.cost, balance },
    }),
    usualRules,
  );
  const read = (status: number, body: unknown) => own.ofRead(answered(responseOf(status, body)));

  test('has an amount if the response has one', () => {
    const response = { status: 200 };
    expect(own.ofBalance(read(200, { credits: 12 }))).toMatchObject({
      kind: 'balance',
      amount: 12,
      response,
    });
    expect(own.ofBalance(read(200, {}))).toMatchObject({ kind: 'balance', amount: null });
    expect(classifier.ofBalance(read(200, { credits: 12 }))).toMatchObject({
      kind: 'balance',
      amount: null,
    });
  });

  test('keeps the outcome of a failed read', () => {
    expect(own.ofBalance(read(401, {}))).toMatchObject({ kind: 'key-refused' });
  });
});

describe('a refusal of the content in a status', () => {
  const rules: AnswerRules = {
    ...usualRules,
    contentRefusals: [
      { paths: ['response.filtered'], when: 'after-render', paid: 'no' },
      { codes: ['SAFETY.*'], phrases: ['moderation'], when: 'before-render', paid: 'yes' },
    ],
  };
  const status = (body: unknown) =>
    new ResponseClassifier(ENDPOINTS, rules).ofStatus({
      kind: 'answered',
      response: responseOf(200, body),
      json: body,
    });

  test.each([
    [
      { status: 'failed', code: 'safety.input' },
      { when: 'before-render', paid: 'yes' },
    ],
    [
      { status: 'failed', error: 'Failed MODERATION.' },
      { when: 'before-render', paid: 'yes' },
    ],
    [
      { status: 'done', response: { filtered: ['x'] } },
      { when: 'after-render', paid: 'no' },
    ],
    [{ status: 'rejected' }, { when: 'after-render', paid: 'unknown' }],
  ])('is read from %j', (body, refusal) => {
    const outcome = status(body);
    expect(outcome).toMatchObject({
      kind: 'refused',
      failure: { code: 'content-refused', refusal },
    });
  });

  test.each([
    { status: 'failed', error: 'Out of memory.' },
    { status: 'failed', code: 'UNSAFETY.INPUT' },
    { status: 'rendering', error: 'In moderation.' },
    { status: 'done', response: { filtered: [] } },
    { status: 'cancelled', error: 'moderation' },
  ])('is not read from %j', (body) => {
    expect(status(body).kind).toBe('status');
  });

  test('costs what all rules say, where none of them applies', () => {
    const free = new ResponseClassifier(ENDPOINTS, storyboardProfile.answers);
    const body = { status: 'rejected' };
    const reading = { kind: 'answered', response: responseOf(200, body), json: body } as const;
    expect(free.ofStatus(reading)).toHaveProperty('failure.refusal.paid', 'no');
  });

  test('has no reason where the service gives none', () => {
    expect(status({ status: 'rejected' })).toHaveProperty('failure', {
      code: 'content-refused',
      ...joinMessages(userMessage('content-refused'), userMessage('refusal-maybe-paid')),
      refusal: { when: 'after-render', paid: 'unknown' },
    });
  });
});
