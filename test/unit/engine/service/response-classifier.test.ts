import { describe, expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import type { AnswerRules } from '../../../../src/contract/answer-rules.ts';
import type { Break, ExchangeResult } from '../../../../src/engine/service/exchange.ts';
import type { Answer } from '../../../../src/engine/service/outcomes.ts';
import { ResponseClassifier } from '../../../../src/engine/service/response-classifier.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';

/**
 * Every rule by which an exchange is judged, at its edges. That the client judges by them is tested
 * over a real connection (`service-client.test.ts`).
 */

const ENDPOINTS = new Endpoints('https://service.example', DOCUMENTED_API);
const verdicts = new ResponseClassifier(ENDPOINTS, usualRules);
const LOST: Break = { why: 'connection', code: 'ECONNRESET' };
const PAGE = '<h1>Welcome</h1>';

function answerOf(status: number, body: unknown, headers: Answer['headers'] = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text, sentAt: 0, receivedAt: 1 };
}
const answered = (answer: Answer): ExchangeResult => ({ kind: 'answered', answer });
const broken = (answer: Answer | null): ExchangeResult => ({ kind: 'broken', cause: LOST, answer });
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
    const answer = answerOf(status, body);
    expect(verdicts.ofGenerate(answered(answer))).toMatchObject({
      kind,
      answer,
      ...(code === undefined ? {} : { failure: { code } }),
    });
  });

  test('that is accepted has the identifier that the service gave', () => {
    const outcome = verdicts.ofGenerate(answered(answerOf(200, { id: 'v1' })));
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
  ])('that is refused with %i %j: that is about the %s', (status, body, about) => {
    const outcome = verdicts.ofGenerate(answered(answerOf(status, body)));
    expect(outcome).toMatchObject({ kind: 'rejected', about });
  });

  test('that is cut off is a refusal if its status says so, and otherwise unknown', () => {
    expect(verdicts.ofGenerate(broken(answerOf(429, '')))).toMatchObject({ kind: 'rate-limited' });
    expect(verdicts.ofGenerate(broken(answerOf(400, '{}')))).toMatchObject({ kind: 'rejected' });
    expect(verdicts.ofGenerate(broken(answerOf(402, '{}')))).toMatchObject({
      kind: 'quota-used-up',
    });
    expect(verdicts.ofGenerate(broken(answerOf(500, '{}')))).toMatchObject({ kind: 'unknown' });
    const begun = answerOf(200, '{"id":"v1"}');
    expect(verdicts.ofGenerate(broken(begun))).toMatchObject({
      kind: 'unknown',
      failure: { code: 'outcome-unknown' },
      answer: begun,
    });
    expect(verdicts.ofGenerate(broken(null))).toMatchObject({ kind: 'unknown', answer: null });
  });

  test('that never left is known not to have', () => {
    expect(verdicts.ofGenerate(notSent)).toMatchObject({
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
    const answer = answerOf(status, body, headers);
    expect(verdicts.ofRead(answered(answer))).toMatchObject({
      kind,
      answer,
      ...(code === undefined ? {} : { failure: { code } }),
    });
  });

  test('that breaks off says what its status says', () => {
    const lost = { code: 'service-unreachable' };
    expect(verdicts.ofRead(broken(answerOf(401, '')))).toMatchObject({ kind: 'key-refused' });
    expect(verdicts.ofRead(broken(answerOf(429, '')))).toMatchObject({ kind: 'rate-limited' });
    for (const status of [404, 410, 500]) {
      expect(verdicts.ofRead(broken(answerOf(status, '{}')))).toMatchObject({ kind: 'unusable' });
    }
    const begun = answerOf(200, '{"a":1}');
    expect(verdicts.ofRead(broken(begun))).toMatchObject({
      kind: 'unusable',
      failure: lost,
      answer: begun,
    });
    expect(verdicts.ofRead(broken(null))).toMatchObject({ kind: 'unusable', answer: null });
    expect(verdicts.ofRead(notSent)).toMatchObject({
      kind: 'unreachable',
      failure: lost,
      answer: null,
    });
  });
});

describe('what was asked for', () => {
  const read = (status: number, body: unknown) => verdicts.ofRead(answered(answerOf(status, body)));
  const signed = 'https://a.example/v.mp4?signature=s3cret';

  test('a status is read, and trouble stays what it is', () => {
    expect(verdicts.ofStatus(read(200, { status: 'done', url: signed }))).toMatchObject({
      kind: 'status',
      status: { state: 'done' },
      answer: { status: 200 },
    });
    expect(verdicts.ofStatus(read(409, {}))).toMatchObject({ kind: 'unusable' });
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
    const outcome = verdicts.ofLink(read(status, body));
    expect(outcome).toMatchObject({ kind, answer: { status } });
    expect(outcome.answer?.body).not.toContain('s3cret');
  });

  test('a link is not there early when the connection breaks or never was', () => {
    expect(verdicts.ofLink(verdicts.ofRead(broken(null)))).toMatchObject({ kind: 'unusable' });
    expect(verdicts.ofLink(verdicts.ofRead(notSent))).toMatchObject({ kind: 'unreachable' });
  });

  test('a link that cannot be used says why', () => {
    const unusable = verdicts.ofLink(read(200, { downloadUrl: 'http://a.example/v.mp4' }));
    const odd = verdicts.ofStatus(read(200, PAGE));
    if (unusable.kind !== 'unusable' || odd.kind !== 'unusable') throw new Error('usable');
    expect(unusable.failure.message).not.toBe(odd.failure.message);
  });

  test('what is kept of an answer that cannot be read has no signed link in it', () => {
    const kept = read(500, { url: signed }).answer?.body;
    expect(kept).toContain('v.mp4');
    expect(kept).not.toContain('s3cret');
  });

  test.each([
    ...[200, 400, 402, 409, 422, 404, 410, 429].map((status) => [status, {}, 'accepted'] as const),
    // A proxy or a hotel's network may answer so.
    ...[200, 400, 402, 409, 422].map((status) => [status, PAGE, 'unusable'] as const),
    [401, {}, 'key-refused'],
    [403, {}, 'unusable'],
    [404, PAGE, 'unusable'],
    [500, {}, 'unusable'],
  ] as const)('of a key, %i %j is %s', (status, body, kind) => {
    expect(verdicts.ofKeyCheck(read(status, body))).toMatchObject({ kind, answer: { status } });
  });

  test('a key is neither good nor bad when no answer comes', () => {
    const lost = verdicts.ofRead(broken(null));
    expect(verdicts.ofKeyCheck(lost)).toMatchObject({ kind: 'unusable', answer: null });
    expect(verdicts.ofKeyCheck(verdicts.ofRead(notSent))).toMatchObject({ kind: 'unreachable' });
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
    expect(own.ofGenerate(answered(answerOf(status, body)))).toMatchObject({ kind });
  });

  test('a question about a video finds the key refused', () => {
    const reading = own.ofRead(answered(answerOf(400, { message: 'Invalid API Key' })));
    expect(reading).toMatchObject({ kind: 'key-refused' });
    expect(own.ofKeyCheck(reading)).toMatchObject({ kind: 'key-refused' });
  });

  test('a 401 that names the quota is about the key where no profile says otherwise', () => {
    const answer = answerOf(401, { code: 'QUOTA_EXCEEDED' });
    expect(verdicts.ofGenerate(answered(answer))).toMatchObject({ kind: 'key-refused' });
  });
});
