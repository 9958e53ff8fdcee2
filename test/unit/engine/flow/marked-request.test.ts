import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENTED_API, serviceApiSchema } from '../../../../src/contract/service-profile.ts';
import { hasOwnIds, markedRequest, newOwnId } from '../../../../src/engine/flow/marked-request.ts';
import { valueAt } from '../../../../src/engine/service/response-reader.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const apiWith = (once: unknown, more: object = {}) => serviceApiSchema.parse({ once, ...more });

describe('newOwnId', () => {
  it('is a version 4 UUID for any random numbers', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (stream) => {
          expect(newOwnId(() => Number(stream.next().value))).toMatch(UUID);
        },
      ),
    );
  });
});

describe('markedRequest', () => {
  it('is not used by the documented API', () => {
    expect(hasOwnIds(DOCUMENTED_API)).toBe(false);
    expect(hasOwnIds(apiWith({ idField: 'title' }))).toBe(true);
    expect(hasOwnIds(apiWith({ idempotencyHeader: 'Idempotency-Key' }))).toBe(true);
  });

  it.each([
    ['title', '{"title":"x","n":1.5}', '{"title":"ID","n":1.5}'],
    ['metadata', '{"a":1}', '{"a":1,"metadata":"ID"}'],
    ['metadata.ref', '{"a":1}', '{"a":1,"metadata":{"ref":"ID"}}'],
    ['a[0].b', '{"a":[{"c":2}]}', '{"a":[{"c":2,"b":"ID"}]}'],
    ['__proto__.b', '{}', '{"__proto__":{"b":"ID"}}'],
  ])('puts our identifier at %s', (idField, body, expected) => {
    const { body: sent, mark } = markedRequest(body, 'ID', apiWith({ idField }));
    expect(sent).toBe(expected);
    expect(mark).toMatchObject({ ownId: 'ID', idField, header: null });
  });

  it.each([
    ['title.ref', '{"title":"x"}'],
    ['a[1]', '{"a":["x"]}'],
    ['a[3].b', '{"a":[]}'],
  ])('leaves a body unchanged that cannot have %s, and records that', (idField, body) => {
    const { body: sent, mark } = markedRequest(body, 'ID', apiWith({ idField }));
    expect(sent).toBe(body);
    expect(mark.idField).toBeNull();
  });

  it('sends our identifier as an idempotency key without changing the body', () => {
    const body = '{ "b": 1, "a": [1e3] }';
    const marked = markedRequest(body, 'ID', apiWith({ idempotencyHeader: 'Idempotency-Key' }));
    expect(marked.body).toBe(body);
    expect(marked.idempotencyKey).toBe('ID');
    expect(marked.mark.header).toBe('idempotency-key');
  });

  it('has the same hash for the same request, and another one for any change', () => {
    const once = { idField: 'ref', idempotencyHeader: 'idempotency-key' };
    const sha256 = (body: string, api = apiWith(once)) =>
      markedRequest(body, 'ID', api).mark.sha256;
    expect(sha256('{"a":1}')).toBe(sha256('{"a":1}'));
    expect(sha256('{"a":2}')).not.toBe(sha256('{"a":1}'));
    const others = [
      { generate: { path: '/v2/videos' } },
      { generate: { body: 'multipart' } },
      { headers: { 'x-version': '2' } },
    ];
    for (const other of others) {
      expect(sha256('{"a":1}', apiWith(once, other))).not.toBe(sha256('{"a":1}'));
    }
  });

  it('keeps every other value of any body', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (request) => {
        const body = JSON.stringify(request);
        const { body: sent } = markedRequest(body, 'ID', apiWith({ idField: 'own-id' }));
        const parsed = JSON.parse(sent) as Record<string, unknown>;
        expect(valueAt(parsed, 'own-id')).toBe('ID');
        expect(JSON.stringify({ ...parsed, 'own-id': 0 })).toBe(
          JSON.stringify({ ...(JSON.parse(body) as object), 'own-id': 0 }),
        );
      }),
    );
  });
});
