import { expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import { withoutKey, withoutLinkSecrets } from '../../../../src/engine/service/redaction.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { ResponseClassifier } from '../../../../src/engine/service/response-classifier.ts';

// abuse.md 18
test.each([
  ['plain', '{"downloadUrl":"https://a.example/v.mp4?sig=s3cret","n":1}'],
  ['with escaped slashes', '{"downloadUrl":"https:\\/\\/a.example\\/v.mp4?sig=s3cret","n":1}'],
  [
    'with an escaped question mark',
    '{"downloadUrl":"https://a.example/v.mp4\\u003fsig=s3cret","n":1}',
  ],
  ['in a list', '{"urls":["https://a.example/v.mp4?x=1&sig=s3cret"],"n":1}'],
  ['in a sentence', '{"text":"See https://a.example/v.mp4?sig=s3cret now","n":1}'],
])('the query of a link is removed, and the rest is kept: %s', (_how, body) => {
  const redacted = withoutLinkSecrets(body);

  expect(redacted).not.toContain('s3cret');
  expect(redacted).toContain('v.mp4?…');
  expect(JSON.parse(redacted)).toBeTypeOf('object');
  expect(redacted.endsWith('"n":1}')).toBe(true);
});

test('a link without a query stays as it is', () => {
  const body = '{"downloadUrl":"https://a.example/v.mp4","why":"who?"}';

  expect(withoutLinkSecrets(body)).toBe(body);
});

// abuse.md 17
test('a key is removed from the body and the headers wherever it occurs', () => {
  const response = {
    status: 200,
    headers: { 'x-echo': 'a svc_live_1 b svc_live_1' },
    body: '{"key":"svc_live_1","keys":"svc_live_1svc_live_1"}',
    sentAt: 0,
    receivedAt: 1,
  };

  expect(JSON.stringify(withoutKey(response, 'svc_live_1'))).not.toContain('svc_live_1');
});

// abuse.md 17
test.each([
  ['escaped slashes', '{"error":"Bad key: sk\\/ab+c=d"}'],
  ['a unicode escape', '{"error":"Bad key: \\u0073k/ab\\u002bc\\u003Dd"}'],
  ['escapes of JSON within JSON', '{"error":"{\\"key\\":\\"sk\\\\/ab\\\\u002bc=d\\"}"}'],
  ['percent-encoding', '{"error":"Bad address: ?key=sk%2Fab%2bc%3Dd"}'],
])('a key that is echoed with %s is removed', (_how, body) => {
  const key = 'sk/ab+c=d';
  const response = { status: 400, headers: { location: body }, body, sentAt: 0, receivedAt: 1 };

  const kept = withoutKey(response, key);

  for (const text of [kept.body, kept.headers.location ?? '']) {
    expect(text).toContain('[API key]');
    const read = (JSON.parse(text) as { error: string }).error;
    expect([read, decodeURIComponent(read)].join()).not.toMatch(/ab.*c.*=?d/);
  }
});

// abuse.md 17
test.each([
  ['as it is', 'sk-a/b+c=d'],
  ['with escapes', 'sk-a\\/b\\u002bc%3Dd'],
])('a key that a broken connection cut is removed: %s', (_how, echoed) => {
  const key = 'sk-a/b+c=d';
  for (let length = 4; length <= echoed.length; length += 1) {
    const body = `{"error":"Bad key: ${echoed.slice(0, length)}`;
    const response = { status: 400, headers: {}, body, sentAt: 0, receivedAt: 1 };
    expect(withoutKey(response, key).body).toBe('{"error":"Bad key: [API key]');
  }
});

test('a body that ends with few characters of the key stays as it is', () => {
  const response = { status: 400, headers: {}, body: 'Bad ask', sentAt: 0, receivedAt: 1 };

  expect(withoutKey(response, 'sk-a/b+c=d').body).toBe('Bad ask');
});

test('a stored answer has no signed link in it', () => {
  const classifier = new ResponseClassifier(
    new Endpoints('https://a.example', DOCUMENTED_API),
    storyboardProfile.answers,
  );
  const poster = 'https://a.example/p.jpg?expires=9&signature=s3cret';
  const response = {
    status: 200,
    headers: {},
    body: JSON.stringify({ success: true, id: 'v1', status: 'done', posterUrl: poster }),
    sentAt: 0,
    receivedAt: 1,
  };
  const asked = classifier.ofStatus(classifier.ofRead({ kind: 'answered', response }));
  const made = classifier.ofGenerate({ kind: 'answered', response });

  for (const outcome of [asked, made]) {
    expect(outcome.kind === 'not-sent' ? null : outcome.response?.body).toContain('p.jpg?…');
  }
});

test.each([400, 401, 402, 404, 409, 410, 422, 429, 500])(
  'a stored answer with status %i has no signed link in it',
  (status) => {
    const classifier = new ResponseClassifier(
      new Endpoints('https://a.example', DOCUMENTED_API),
      storyboardProfile.answers,
    );
    const body = JSON.stringify({ seen: 'https://a.example/p.jpg?expires=9&signature=s3cret' });
    const response = { status, headers: {}, body, sentAt: 0, receivedAt: 1 };
    const outcomes = [
      classifier.ofGenerate({ kind: 'answered', response }),
      classifier.ofGenerate({ kind: 'broken', cause: { why: 'too-long' }, response }),
      classifier.ofLink(classifier.ofRead({ kind: 'answered', response })),
      classifier.ofCancel(classifier.ofRead({ kind: 'answered', response })),
    ];

    for (const outcome of outcomes) {
      const stored = [
        'response' in outcome ? outcome.response?.body : null,
        'failure' in outcome ? outcome.failure.detail : null,
      ];
      expect(stored.join()).not.toContain('s3cret');
    }
  },
);
