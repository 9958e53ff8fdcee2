import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { JsonDisplay } from '../../../src/cli/display/json-display.ts';
import { PlainDisplay } from '../../../src/cli/display/plain-display.ts';
import type { Job } from '../../../src/contract/job.ts';
import { aJob, aSummary, NOON } from '../../rigs/job-builder.ts';

const stages: Job[] = [
  aJob({ state: 'ready' }),
  aJob({ state: 'ready' }),
  aJob({
    state: 'ready',
    wait: { reason: 'disk-full', until: null, missingBytes: 1e6 },
  }),
  aJob({ state: 'ready', wait: { reason: 'disk-full', until: null, missingBytes: 5e5 } }),
];

const progress = stages.map((job) => ({
  name: 'Launch',
  folder: '/videos',
  awaited: [],
  summary: aSummary(),
  jobs: [job],
}));

test('a line is written when a finished video begins to wait for something, and only then', () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  const out = stream as object as NodeJS.WriteStream;
  const display = new PlainDisplay({ stream: out, errors: out, cwd: '/', now: () => NOON });
  for (const each of progress) display.progressed(each);
  expect(stream.read()).toBe(
    '1/1 Meet the new one: ready, waits to be downloaded\n' +
      '1/1 Meet the new one: ready, needs 1.00 MB of space\n',
  );
});

test('JSON output has the same events', () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  const display = new JsonDisplay(stream);
  for (const each of progress) display.progressed(each);
  const events = String(stream.read()).trim().split('\n');
  expect(events.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: 'job', job: { wait: null } },
    { event: 'job', job: { wait: { reason: 'disk-full', missingBytes: 1e6 } } },
  ]);
});
