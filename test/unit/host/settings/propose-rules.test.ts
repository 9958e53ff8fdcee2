import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readLink,
  readRemoteId,
  readStatus,
} from '../../../../src/engine/service/response-reader.ts';
import { answerRulesSchema } from '../../../../src/contract/answer-rules.ts';
import { proposeRules } from '../../../../src/host/settings/propose-rules.ts';
import { defineStatusWord, usualRules } from '../../../../src/engine/service/vocabularies.ts';
import { knownResponses } from '../../engine/service/known-responses.ts';

describe('rules proposed from example answers', () => {
  test.each(knownResponses)('read the answers that they were proposed from: $service', (known) => {
    const { accepted, statuses, failed } = known;
    const { rules, notFound } = proposeRules({
      generate: accepted.response,
      statuses: [...statuses.map(({ response }) => response), failed.response],
    });

    expect(notFound).toEqual([]);
    expect(answerRulesSchema.parse(rules)).toEqual(rules);
    expect(readRemoteId(accepted.response, rules)).toBe(accepted.id);
    for (const { response, state, progress } of statuses) {
      const read = readStatus(response, rules);
      expect(read.state).toBe(state);
      if (progress !== undefined) expect(read.progress).toBeCloseTo(progress);
    }
  });

  test('find values in unusual places', () => {
    const { rules, words, notFound } = proposeRules({
      generate: { ok: 1, meta: { request_id: 'r9' }, job: { ticketId: 'T-7', phase: 'ENQUEUED' } },
      statuses: [
        { job: { ticketId: 'T-7', phase: 'BAKING', percent: 40 } },
        { job: { ticketId: 'T-7', phase: 'SHIPPED', percent: 100 } },
      ],
      download: {
        result: {
          files: [{ href: 'https://cdn.example.com/a.mp4' }],
          expires: '2026-01-05T10:00:00Z',
        },
      },
    });
    const shipped = defineStatusWord(rules, 'Shipped', 'done');

    expect(notFound).toEqual([]);
    expect(words).toEqual([
      { word: 'BAKING', means: 'working' },
      { word: 'SHIPPED', means: null },
    ]);
    expect(readRemoteId({ meta: { request_id: 'r1' }, job: { ticketId: 'T-8' } }, rules)).toBe(
      'T-8',
    );
    expect(readStatus({ job: { phase: 'baking', percent: 55 } }, rules)).toEqual({
      state: 'working',
      word: 'baking',
      progress: 0.55,
      error: null,
    });
    expect(readStatus({ job: { phase: 'SHIPPED' } }, rules).state).toBeNull();
    expect(readStatus({ job: { phase: 'SHIPPED' } }, shipped).state).toBe('done');
    expect(
      readLink(
        {
          result: {
            files: [{ href: 'https://cdn.example.com/b.mp4' }],
            expires: '2026-01-05T11:00:00Z',
          },
        },
        rules,
      ),
    ).toEqual({
      kind: 'link',
      link: { url: 'https://cdn.example.com/b.mp4', expiresAt: Date.UTC(2026, 0, 5, 11) },
    });
  });

  test('report what was not found', () => {
    const { rules, notFound } = proposeRules({ generate: {}, statuses: [7], download: [] });

    expect(notFound).toEqual(['id', 'status', 'link']);
    expect(rules).toEqual(usualRules);
  });

  test('are valid whatever is pasted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), fc.jsonValue(), (one, many, other) => {
        const { rules } = proposeRules({ generate: one, statuses: many, download: other });
        expect(answerRulesSchema.safeParse(rules).success).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test.each(['In progress', `PROCESSING_${'ON_ONE_OF_MANY_MACHINES_'.repeat(3)}`, 'x'.repeat(100)])(
  'the status “%s” is a word whose meaning can be entered',
  (word) => {
    const { words, rules } = proposeRules({ statuses: [{ state: 'COMPLETED' }, { state: word }] });
    expect(words.map((each) => each.word)).toEqual(['COMPLETED', word]);
    const known = defineStatusWord(rules, word, 'working');
    expect(readStatus({ state: word }, known)).toMatchObject({ state: 'working', word });
  },
);

test.each(['', '  ', 'It was rendered.\nThank you.', 'x'.repeat(101)])(
  'the text %j is not a status',
  (text) => {
    expect(proposeRules({ statuses: [{ state: text }] }).words).toEqual([]);
  },
);

describe('a status word that is defined', () => {
  test('is known whatever its case, and the original rules are unchanged', () => {
    const defined = defineStatusWord(usualRules, ' Marinating ', 'working');

    expect(readStatus({ status: 'MARINATING' }, defined).state).toBe('working');
    expect(readStatus({ status: 'MARINATING' }, usualRules).state).toBeNull();
  });

  test('can change the meaning of a word', () => {
    const defined = defineStatusWord(usualRules, 'ready', 'queued');

    expect(readStatus({ status: 'ready' }, defined).state).toBe('queued');
  });
});
