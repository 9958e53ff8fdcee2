import { describe, expect, test } from 'vitest';
import { proposeRulesFor, readExamples } from '../../../../src/host/settings/example-answers.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';

const GENERATE = `POST /api/v1/video/generate [with the key in a header]
HTTP/1.1 200 OK
X-RateLimit-Remaining: 9

{ "meta": { "note": "a \\"quoted\\" } brace" }, "job": { "ticketId": "T-7", "phase": "ENQUEUED" } }`;

const STATUSES = `{"job":{"ticketId":"T-7","phase":"BAKING","percent":40}}
and once it was there:
{"job":{"ticketId":"T-7","phase":"SHIPPED","percent":100}}`;

const DOWNLOAD =
  '{"result":{"href":"https://cdn.example.com/a.mp4","expires":"2026-01-05T10:00:00Z"}}';

describe('pasted answers', () => {
  test('become rules, and are read by them', () => {
    const { rules, words, notFound, reading } = proposeRulesFor({
      generate: GENERATE,
      status: STATUSES,
      download: DOWNLOAD,
    });

    expect(notFound).toEqual([]);
    expect(rules.id[0]).toBe('job.ticketId');
    expect(words).toEqual([
      { word: 'BAKING', means: 'working' },
      { word: 'SHIPPED', means: null },
    ]);
    expect(reading).toEqual({
      id: 'T-7',
      statuses: [
        { state: 'working', word: 'BAKING', progress: 0.4, error: null },
        { state: null, word: 'SHIPPED', progress: 1, error: null },
      ],
      link: {
        kind: 'link',
        link: { url: 'https://cdn.example.com/a.mp4', expiresAt: Date.UTC(2026, 0, 5, 10) },
      },
      unreadable: [],
    });
  });

  test('can be read by edited rules', () => {
    const rules = { ...usualRules, id: ['job.ticketId'], status: ['job.phase'] };

    const { id, statuses } = readExamples({ generate: GENERATE, status: STATUSES }, rules);

    expect(id).toBe('T-7');
    expect(statuses.map(({ word }) => word)).toEqual(['BAKING', 'SHIPPED']);
  });

  test('that are not JSON are reported, and empty ones are not', () => {
    const { reading, rules } = proposeRulesFor({
      generate: 'It said OK.',
      status: '{"status": "do',
      download: '  ',
    });

    expect(reading).toEqual({
      id: null,
      statuses: [],
      link: null,
      unreadable: ['generate', 'status'],
    });
    expect(rules).toEqual(usualRules);
  });

  test('of any size and shape are read within 2 s of processor time', () => {
    for (const text of ['{'.repeat(1_000_000), '[{"a":'.repeat(200_000), '{}'.repeat(500_000)]) {
      // In microseconds of processor time: other work of the machine is not counted.
      const before = process.threadCpuUsage();
      proposeRulesFor({ generate: text, status: text, download: text });
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
    }
  });
});
