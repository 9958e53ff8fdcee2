import { describe, expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import type { AnswerRules } from '../../../../src/contract/answer-rules.ts';
import type { Break, ExchangeResult } from '../../../../src/engine/service/exchange.ts';
import type { HttpResponse } from '../../../../src/engine/service/outcomes.ts';
import { ResponseClassifier } from '../../../../src/engine/service/response-classifier.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';

/**
 * Tests every rule of the classifier at its edges. `service-client.test.ts` tests over a real
 * connection that the client applies them.
 */

const ENDPOINTS = new Endpoints('https://service.example', DOCUMENTED_API);
const classifier = new ResponseClassifier(ENDPOINTS, usualRules);
const LOST: Break = { why: 'connection', code: 'ECONNRESET' };
const PAGE = '<h1>Welcome</h1>';

function responseOf(
  status: number,
  body: unknown,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text, sentAt: 0, receivedAt: 1 };
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
    [200, { downloadUrl: 'http://a.example/v.mp4' }, 'unusable'],
    [409, {}, 'not-ready'],
    [425, {}, 'not-ready'],
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
    if (unusable.kind !== 'unusable' || odd.kind !== 'unusable') throw new Error('usable');
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
