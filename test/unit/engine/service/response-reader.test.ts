import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  instantFrom,
  isQuotaRefusal,
  readAmount,
  readLink,
  readRemoteId,
  readStatus,
  readRemoteError,
  valueAt,
} from '../../../../src/engine/service/response-reader.ts';
import { answerRulesSchema, type AnswerRules } from '../../../../src/contract/answer-rules.ts';
import { parseForeignJson } from '../../../../src/contract/json-text.ts';
import type { RemoteState } from '../../../../src/contract/job.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';
import { vocabularies } from '../../../../src/host/settings/known-services.ts';
import { knownResponses } from './known-responses.ts';

describe.each(knownResponses)(
  'responses of $service',
  ({ service, accepted, statuses, failed }) => {
    const rules = vocabularies[service];

    test('are read by valid rules', () => {
      expect(answerRulesSchema.parse(rules)).toEqual(rules);
    });

    test('the identifier is found by its own rules and by the default ones', () => {
      expect(readRemoteId(accepted.response, rules)).toBe(accepted.id);
      expect(readRemoteId(accepted.response, usualRules)).toBe(accepted.id);
    });

    test.each(statuses)('$response is $state', ({ response, state, progress }) => {
      expect(readStatus(response, rules)).toMatchObject({ state, progress: progress ?? null });
      expect(readStatus(response, usualRules)).toMatchObject({ state });
    });

    test('a failure comes with its message', () => {
      expect(readStatus(failed.response, rules)).toMatchObject({
        state: 'failed',
        error: failed.error,
      });
    });
  },
);

describe('a status', () => {
  const status = (json: unknown, rules: AnswerRules = usualRules): ReturnType<typeof readStatus> =>
    readStatus(json, rules);

  test.each(['DONE', ' Done ', 'done'])('the word “%s” is known whatever its case', (word) => {
    expect(status({ status: word }).state).toBe('done');
  });

  test('an unknown word is kept unchanged', () => {
    expect(status({ status: 'Marinating' })).toEqual({
      state: null,
      word: 'Marinating',
      progress: null,
      error: null,
    });
  });

  test('the video’s word is not hidden by that of an envelope', () => {
    expect(status({ status: 'success', data: { status: 'processing' } })).toMatchObject({
      state: 'working',
      word: 'processing',
    });
    expect(status({ status: 200, state: 'done' }).state).toBe('done');
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'the word “%s” is not looked up in the prototype',
    (word) => {
      expect(status({ status: word })).toMatchObject({ state: null, word });
    },
  );

  test.each([{}, [], null, 7, 'done', { status: null }, { status: {} }, { status: '' }])(
    '%j has no word and is no error',
    (json) => {
      expect(status(json)).toMatchObject({ state: null, word: null });
    },
  );

  test('progress is scaled to the range from 0 to 1', () => {
    const percent: AnswerRules = {
      ...usualRules,
      progress: { paths: ['progress'], scale: 'percent' },
    };

    expect(status({ status: 'rendering', progress: 0.5 }).progress).toBe(0.5);
    expect(status({ status: 'rendering', progress: 1 }, percent).progress).toBe(0.01);
    expect(status({ status: 'rendering', progress: '42 %' }, percent).progress).toBe(0.42);
    expect(status({ status: 'rendering', progress: 140 }, percent).progress).toBe(1);
    expect(status({ status: 'rendering', progress: -3 }).progress).toBe(0);
    expect(status({ status: 'rendering', progress: 'half' }).progress).toBeNull();
    expect(status({ status: 'rendering', progress: null }).progress).toBeNull();
  });

  test('an error message is read only from a failure', () => {
    expect(status({ status: 'rendering', message: 'Frame 7' }).error).toBeNull();
    expect(status({ status: 'failed', message: 'No frames' }).error).toBe('No frames');
  });

  test('an error message is sanitised and shortened', () => {
    const error = status({
      status: 'failed',
      error: `\u001b[31mbad\u202e\n${'x'.repeat(5000)}`,
    }).error;

    expect(error).toHaveLength(2000);
    expect(error?.startsWith('[31mbad xxx')).toBe(true);
  });
});

describe('a service that reports only when it is done', () => {
  const rules: AnswerRules = {
    ...usualRules,
    status: ['done'],
    words: { true: 'done' },
    withoutWord: 'working',
    failedBy: ['error'],
  };

  test.each([
    [{ name: 'operations/1' }, 'working', null],
    [{ name: 'operations/1', done: false }, 'working', null],
    [{ name: 'operations/1', done: true, error: null }, 'done', 'true'],
    [{ done: true, error: { code: 3, message: 'Refused' } }, 'failed', 'true'],
  ])('%j is %s', (json, state, word) => {
    expect(readStatus(json, rules)).toMatchObject({ state, word });
  });

  test('a failure is reported whatever the word means', () => {
    const { error } = readStatus({ done: true, error: { code: 3, message: 'Refused' } }, rules);
    expect(error).toBe('Refused (3)');
  });

  test('true is a word only where the rules know it', () => {
    expect(readStatus({ status: true }, usualRules)).toMatchObject({ state: null, word: null });
  });
});

describe('an identifier', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567890123', '12345678901234567890123'],
    ['9007199254740991', '9007199254740991'],
    ['1e20', null],
    ['9007199254740993.5', null],
  ])('that is the number %s is read digit for digit or not at all', (number, id) => {
    expect(readRemoteId(parseForeignJson(`{"data":{"id":${number}}}`), usualRules)).toBe(id);
  });

  test.each([
    [{ id: 'vid_1' }, 'vid_1'],
    [{ id: 1234 }, '1234'],
    [{ data: { video_id: 'v' }, id: '' }, 'v'],
    [[{ id: 'first' }], 'first'],
    [{ id: 1.5 }, null],
    [{ id: true }, null],
    [{ id: '..' }, null],
    [{ id: 'x'.repeat(201) }, null],
    [{ id: 'a\nb' }, null],
    [{ id: {} }, null],
    [{}, null],
  ])('of %j', (json, id) => {
    expect(readRemoteId(json, usualRules)).toBe(id);
  });
});

describe('a link', () => {
  test('only https addresses without a name and password are links', () => {
    const kind = (downloadUrl: unknown): string => readLink({ downloadUrl }, usualRules).kind;

    expect(kind('https://cdn.example.com/a.mp4?s=1')).toBe('link');
    for (const url of [
      'http://cdn.example.com/a.mp4',
      'file:///etc/passwd',
      'data:video/mp4;base64,AAAA',
      'javascript:alert(1)',
      '/a.mp4',
      'https://user:password@cdn.example.com/a.mp4',
      `https://cdn.example.com/${'a'.repeat(9000)}`,
    ]) {
      expect(kind(url)).toBe('unreadable');
    }
  });

  test('is read only from the place that the API document or the profile names', () => {
    expect(readLink({ url: 'https://cdn.example.com/a.mp4' }, usualRules).kind).toBe('unreadable');
    expect(
      readLink({ status: 'succeeded', url: 'https://a.example/a.mp4' }, vocabularies.Creatomate),
    ).toMatchObject({ kind: 'link', link: { url: 'https://a.example/a.mp4', expiresAt: null } });
  });

  test('a link that appears before the video is done is not used', () => {
    expect(
      readLink({ status: 'rendering', url: 'https://a.example/a.mp4' }, vocabularies.Creatomate)
        .kind,
    ).toBe('not-ready');
  });
});

describe('a time', () => {
  test.each([
    ['2026-01-05T10:00:00Z', Date.UTC(2026, 0, 5, 10)],
    ['2026-01-05T10:00:00.250Z', Date.UTC(2026, 0, 5, 10, 0, 0, 250)],
    ['2026-01-05T12:00:00+02:00', Date.UTC(2026, 0, 5, 10)],
    ['2026-01-05T10:00:00', Date.UTC(2026, 0, 5, 10)],
    ['2026-13-45T10:00:00Z', null],
    ['soon', null],
    ['', null],
    [1_767_607_200, null],
    [undefined, null],
  ])('%j', (value, instant) => {
    expect(instantFrom(value)).toBe(instant);
  });
});

describe('a used-up quota', () => {
  test.each([
    [402, {}, true],
    [403, { code: 'QUOTA_EXCEEDED' }, true],
    [400, { code: 'quota_exceeded' }, true],
    [403, { error: { code: 'QUOTA_EXCEEDED' } }, true],
    [403, { code: 'PLAN_LIMIT', message: '4K is not part of your plan. Please upgrade.' }, false],
    [403, { message: 'Your subscription has no quota for 4K' }, false],
    [403, { message: 'Forbidden' }, false],
    [403, { message: 'The planet is not supported' }, false],
    [429, { message: 'Too many requests for your plan. Upgrade to send more.' }, false],
    [429, { code: 'QUOTA_EXCEEDED', message: 'Monthly quota reached' }, true],
    [429, { code: 'RATE_LIMITED', message: 'Upgrade your plan' }, false],
    [429, {}, false],
    [400, { message: 'quota must be a number' }, false],
  ])('%i %j: %s', (status, body, is) => {
    expect(isQuotaRefusal(status, body, usualRules)).toBe(is);
  });

  test.each([
    [403, { message: 'No credits left.' }, true],
    [429, { data: { error: { code: 'E1', message: 'Monthly quota reached' } } }, true],
    [403, { message: '4K is not part of your plan.' }, false],
    [400, { message: 'credits must be a number' }, false],
  ])('where a profile names the phrases: %i %j: %s', (status, body, is) => {
    expect(isQuotaRefusal(status, body, vocabularies.HeyGen)).toBe(is);
  });
});

describe('any answer', () => {
  const depth = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  test('JSON is read down to a depth of 64 and not beyond', () => {
    expect(parseForeignJson(depth(64))).toBeDefined();
    expect(parseForeignJson(depth(65))).toBeUndefined();
    expect(parseForeignJson(depth(100_000))).toBeUndefined();
    // Brackets and escaped quotes in a text are no levels, and hide none.
    expect(parseForeignJson(`["${'['.repeat(65)}"]`)).toBeDefined();
    expect(parseForeignJson(`["\\"${'['.repeat(65)}"]`)).toBeDefined();
    expect(parseForeignJson(`["\\"", ${depth(64)}]`)).toBeUndefined();
    expect(parseForeignJson(`["\\\\", ${depth(64)}]`)).toBeUndefined();
    expect(parseForeignJson(`{"a":"${'['.repeat(500)}\\""}`)).toBeDefined();
    expect(parseForeignJson('{"a":')).toBeUndefined();
  });

  test('a path reads only own properties of an answer', () => {
    const response = { output: ['a', { video: 'b' }] };

    expect(valueAt(response, 'output[1].video')).toBe('b');
    expect(valueAt(response, 'output')).toEqual(response.output);
    expect(valueAt(response, '')).toBe(response);
    for (const path of ['constructor.name', 'output.length.x', '__proto__', 'output[2]', 'a.b']) {
      expect(valueAt(response, path)).toBeUndefined();
    }
  });

  test('reading throws nothing, and its results are within their limits', () => {
    const names = [...usualRules.id, ...usualRules.status, ...usualRules.error.text, 'progress'];
    const leaf = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.boolean());
    const level = fc.dictionary(fc.constantFrom(...names, 'data', 'error'), leaf);
    const response = fc.dictionary(
      fc.constantFrom('data', 'movie', ...names),
      fc.oneof(leaf, level),
    );
    fc.assert(
      fc.property(
        response,
        fc.constantFrom(usualRules, ...Object.values(vocabularies)),
        (json, rules) => {
          const states: (RemoteState | null)[] = [null, ...Object.values(rules.words)];
          const { state, progress } = readStatus(json, rules);
          expect(states).toContain(state);
          if (progress !== null) expect(progress).toBe(Math.min(1, Math.max(0, progress)));
          const id = readRemoteId(json, rules);
          if (id !== null) expect(encodeURIComponent(id)).not.toBe('');
          readRemoteError(json, rules);
          readLink(json, rules);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a balance', () => {
  const rule: Parameters<typeof readAmount>[1] = {
    at: 'wallet.left',
    unit: 'credit' as const,
    currency: null,
    factor: 1,
    where: null,
  };
  const read = (number: string, more: Partial<typeof rule> = {}) =>
    readAmount(parseForeignJson(`{"wallet":{"left":${number},"currency":"usd"}}`), {
      ...rule,
      ...more,
    });

  test.each([
    ['0', 0],
    ['-0', 0],
    ['180', 180],
    ['42.5', 42.5],
    ['1000000000000', 1e12],
  ])('is the number %s', (number, amount) => {
    expect(read(number)).toBe(amount);
  });

  test.each([
    '-1',
    '-0.001',
    '-1e-9',
    '1e400',
    '-1e400',
    '1e308',
    '1000000000001',
    '9007199254740993',
    '"180"',
    '"NaN"',
    'null',
    'true',
    '[180]',
    '{"amount":180}',
    '""',
  ])('is not %s', (number) => {
    expect(read(number)).toBeNull();
  });

  test('is missing from an answer of another form', () => {
    for (const json of [null, 180, 'left', [], {}, { wallet: null }, { wallet: 180 }]) {
      expect(readAmount(json, rule)).toBeNull();
    }
  });

  test.each([
    ['1807', 18.07],
    ['4250', 42.5],
    ['5700', 57],
    ['29', 0.29],
    ['1', 0.01],
  ])('of %s cents is %s dollars', (cents, dollars) => {
    expect(read(cents, { factor: 0.01 })).toBe(dollars);
  });

  test('is read only where the answer has the text that the profile requires', () => {
    const where = { at: 'wallet.currency', is: 'usd' };
    expect(read('180', { where })).toBe(180);
    expect(read('180', { where: { ...where, is: 'credits' } })).toBeNull();
    expect(read('180', { where: { ...where, at: 'currency' } })).toBeNull();
  });
});
