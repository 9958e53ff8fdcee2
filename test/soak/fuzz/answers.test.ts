import { expect } from 'vitest';
import { DOCUMENTED_API } from '../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../src/engine/service/endpoints.ts';
import { failureSchema } from '../../../src/contract/failure.ts';
import { exampleReadingSchema, ruleProposalSchema } from '../../../src/contract/profile.ts';
import { proposeRulesFor, readExamples } from '../../../src/host/settings/example-answers.ts';
import { startingPoints } from '../../../src/host/settings/starting-points.ts';
import { readRemoteError, sentence } from '../../../src/engine/service/response-reader.ts';
import type { HttpResponse } from '../../../src/engine/service/outcomes.ts';
import { parseForeignJson } from '../../../src/contract/json-text.ts';
import { withoutKey, withoutLinkSecrets } from '../../../src/engine/service/redaction.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import { sanitizeRemoteText } from '../../../src/engine/sanitize-remote-text.ts';
import { redact } from '../../../src/host/redact.ts';
import { ResponseClassifier } from '../../../src/engine/service/response-classifier.ts';
import { knownResponses } from '../../unit/engine/service/known-responses.ts';
import { fuzz, textOf } from './fuzz.ts';
import { ofJson } from './mutations.ts';

const ENDPOINTS = new Endpoints('https://api.example', DOCUMENTED_API);

const seeds = knownResponses.flatMap(({ accepted, statuses, failed }) =>
  [accepted, ...statuses, failed].map(({ response }) => JSON.stringify(response)),
);
const answers = {
  mutations: ofJson,
  seeds: [
    ...seeds,
    '{"downloadUrl":"https://files.example/a.mp4?signature=x","expiresAt":"2026-11-22T10:00:00Z"}',
    '{"error":{"code":"RATE_LIMITED","message":"Slow"},"details":{"resetAt":"2026-11-22T10:00:00"}}',
    '{"id":12345678901234567890,"status":"queued"}',
  ],
  tokens: [
    '"id":',
    '"status":',
    '"done"',
    '"failed"',
    '"error":',
    '"downloadUrl":',
    '"details":',
    '"https://a.example/?s=1"',
    '"progress":',
    '1e999',
    '"code":',
    '"message":',
    '"data":{',
    '[[[[[[[[',
    '{"a":',
    ']]]]]]]]',
    '\\u0000',
    '\\ud800',
    'svc_live_secret',
    'http://a?',
  ],
};

/** Invariants of a text from another computer that may be shown and stored. */
function checkText(text: string | null): void {
  if (text === null) return;
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
}

fuzz('ResponseClassifier', {
  ...answers,
  parse(bytes) {
    const status = [200, 202, 400, 401, 402, 403, 404, 410, 429, 500][bytes.length % 10] ?? 200;
    const headers = {
      'content-type': 'application/json',
      'retry-after': textOf(bytes).slice(0, 40),
    };
    const body = textOf(bytes);
    const response: HttpResponse = { status, headers, body, sentAt: 0, receivedAt: 1 };
    return startingPoints.map((profile) => {
      const classifier = new ResponseClassifier(ENDPOINTS, profile.answers);
      const result = { kind: 'answered', response } as const;
      const reading = classifier.ofRead(result);
      return {
        made: classifier.ofGenerate(result),
        status: classifier.ofStatus(reading),
        link: classifier.ofLink(reading),
        key: classifier.ofKeyCheck(reading),
        error: readRemoteError(parseForeignJson(body), profile.answers),
      };
    });
  },
  check(outcomes) {
    for (const { made, status, link, key, error } of outcomes) {
      for (const outcome of [made, status, link, key]) {
        if ('failure' in outcome) failureSchema.parse(outcome.failure);
      }
      if (made.kind === 'accepted') {
        checkText(made.remoteId);
        expect(made.remoteId).toMatch(/^(?!\.{1,2}$)\S(?:.{0,198}\S)?$/su);
        expect(made.response.body).not.toMatch(/https?:\/\/[^\s"]*\?[^…]/i);
      }
      if (status.kind === 'status') {
        const { progress, word, error: text } = status.status;
        if (progress !== null) expect(progress >= 0 && progress <= 1).toBe(true);
        checkText(word);
        checkText(text);
      }
      if (link.kind === 'link') {
        const url = new URL(link.link.url);
        expect(url.protocol + url.username + url.password).toBe('https:');
      }
      checkText(error.text);
      checkText(error.code);
      checkText(sentence(error));
    }
  },
});

fuzz('parseForeignJson', {
  ...answers,
  parse: (bytes) => parseForeignJson(textOf(bytes)),
  check(json) {
    if (json === undefined) return;
    const text = JSON.stringify(json);
    expect(JSON.stringify(parseForeignJson(text))).toBe(text);
  },
});

fuzz('proposeRulesFor', {
  ...answers,
  parse(bytes) {
    const [generate, status, download] = textOf(bytes).split('\n');
    return proposeRulesFor({ generate, status: status ?? generate, download });
  },
  check: (proposal) => ruleProposalSchema.parse(proposal),
});

fuzz('readExamples', {
  ...answers,
  parse(bytes) {
    const text = textOf(bytes);
    return readExamples({ generate: text, status: text, download: text }, usualRules);
  },
  check: (reading) => exampleReadingSchema.parse(reading),
});

const KEY = 'svc_live_0123456789';

fuzz('redaction', {
  seeds: [
    `{"url":"https://a.example/f?signature=secret","key":"${KEY}"}`,
    `at https://a.example/?token=secret (${KEY})`,
  ],
  tokens: ['https://', 'http:\\/\\/', '?', '\\u003f', KEY, 'svc_live_', '"', "'", '<'],
  parse(bytes) {
    const body = textOf(bytes);
    const response = { status: 200, headers: { a: body }, body, sentAt: 0, receivedAt: 0 };
    return {
      response: withoutKey(response, KEY),
      body: withoutLinkSecrets(body),
      line: redact(body),
      shown: sanitizeRemoteText(body),
    };
  },
  check({ response, body, line, shown }) {
    expect(JSON.stringify(response)).not.toContain(KEY);
    expect(line).not.toMatch(/svc_live_[A-Za-z0-9_-]/);
    expect(body).not.toMatch(/https?:\/\/[^\s"]*\?[^…\s"]/i);
    expect(line).not.toMatch(/https?:\/\/[^\s"'<>]*\?[^…\s"'<>]/i);
    checkText(shown);
  },
});
