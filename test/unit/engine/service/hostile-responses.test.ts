import fc from 'fast-check';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import { expect, test } from 'vitest';
import type { HttpResponse } from '../../../../src/engine/service/outcomes.ts';
import { ResponseClassifier } from '../../../../src/engine/service/response-classifier.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';
import { vocabularies } from '../../../../src/host/settings/known-services.ts';

const ENDPOINTS = new Endpoints('https://service.example', {
  ...DOCUMENTED_API,
  cost: {
    ...DOCUMENTED_API.cost,
    balance: {
      path: '/credits',
      at: 'progress',
      unit: 'credit',
      currency: null,
      factor: 0.01,
      where: null,
    },
  },
});

const value = fc.oneof(
  fc.constantFrom('', '..', '../../etc', 'done', 'failed', 'QUOTA_EXCEEDED', 'https://a.example/b'),
  fc.constantFrom('javascript:alert(1)', 'file:///etc/passwd', 'a'.repeat(10_000), '\u202egpj.exe'),
  fc.double(),
  fc.jsonValue(),
);
const name = fc.constantFrom(
  'id',
  'status',
  'progress',
  'error',
  'message',
  'code',
  'success',
  'data',
  'downloadUrl',
  'expiresAt',
  'details',
  'response',
  'movie',
  '__proto__',
  'constructor',
);
const body = fc.oneof(
  fc
    .dictionary(name, fc.oneof(value, fc.dictionary(name, value)))
    .map((json) => JSON.stringify(json)),
  fc.string(),
  fc.constantFrom('[', '{"a":'.repeat(100_000), 'null', '0', '"done"', '[[[[]]]]'),
);
const response: fc.Arbitrary<HttpResponse> = fc.record({
  status: fc.oneof(
    fc.constantFrom(200, 201, 301, 400, 401, 402, 403, 404, 409, 429, 500),
    fc.integer({ min: 100, max: 999 }),
  ),
  headers: fc.constant({}),
  body,
  sentAt: fc.constant(0),
  receivedAt: fc.constant(0),
});

test('any answer of a service becomes an outcome within its limits', () => {
  const rules = fc.constantFrom(usualRules, ...Object.values(vocabularies));
  fc.assert(
    fc.property(response, rules, (given, reading) => {
      const classifier = new ResponseClassifier(ENDPOINTS, reading);
      const result = { kind: 'answered', response: given } as const;
      const read = classifier.ofRead(result);

      const generate = classifier.ofGenerate(result);
      if (generate.kind === 'accepted') {
        expect(given.status).toBeLessThan(300);
        expect(generate.remoteId).toMatch(/^[^\p{Cc}]{1,200}$/u);
        expect(['.', '..']).not.toContain(generate.remoteId);
      }
      const status = classifier.ofStatus(read);
      if (status.kind === 'status') {
        const { progress, word, error } = status.status;
        if (progress !== null) expect(progress >= 0 && progress <= 1).toBe(true);
        expect((word ?? '').length).toBeLessThanOrEqual(100);
        expect((error ?? '').length).toBeLessThanOrEqual(2000);
      }
      const link = classifier.ofLink(read);
      if (link.kind === 'link') expect(link.link.url).toMatch(/^https:/);
      expect(classifier.ofKeyCheck(read)).toBeDefined();
      const balance = classifier.ofBalance(read);
      if (balance.kind === 'balance' && balance.amount !== null) {
        expect(balance.amount >= 0 && balance.amount <= 1e12).toBe(true);
      }
    }),
    { numRuns: 1500 },
  );
});
