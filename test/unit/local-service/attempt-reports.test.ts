import { describe, expect, test } from 'vitest';
import { AttemptReports } from '../../../src/local-service/videos/attempt-reports.ts';
import { ManualClock } from '../../integration/local-service/rig.ts';

const INTERVAL_MS = 2000;

function reporting() {
  const clock = new ManualClock();
  const sent: number[] = [];
  const events: string[] = [];
  let answer: () => Promise<boolean> = () => Promise.resolve(true);
  const reports = new AttemptReports({
    report: (progress) => {
      sent.push(progress);
      return answer();
    },
    onSuperseded: () => events.push('superseded'),
    onFailure: (error) => events.push(String(error)),
    after: clock.after,
  });
  return {
    reports,
    sent,
    events,
    answerWith: (next: typeof answer): void => {
      answer = next;
    },
    pass: async (intervals: number): Promise<void> => {
      for (let count = 0; count < intervals; count += 1) {
        clock.advance(INTERVAL_MS);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

describe('reports of an attempt', () => {
  test('are sent when the progress has changed, otherwise at every second interval', async () => {
    const { reports, sent, pass } = reporting();
    reports.progress = 0.1;
    await pass(1);
    reports.progress = 0.2;
    await pass(1);
    expect(sent).toEqual([0.1, 0.2]);
    await pass(4);
    expect(sent).toEqual([0.1, 0.2, 0.2, 0.2]);
  });

  test('are repeated after a failure, which is reported once until one succeeds', async () => {
    const { reports, sent, events, answerWith, pass } = reporting();
    reports.progress = 0.1;
    answerWith(() => Promise.reject(new Error('lost')));
    await pass(3);
    expect(sent).toEqual([0.1, 0.1, 0.1]);
    expect(events).toEqual(['Error: lost']);
    answerWith(() => Promise.resolve(true));
    await pass(1);
    reports.progress = 0.2;
    answerWith(() => Promise.reject(new Error('lost again')));
    await pass(1);
    expect(events).toEqual(['Error: lost', 'Error: lost again']);
  });

  test('end when another attempt has replaced this one', async () => {
    const { sent, events, answerWith, pass } = reporting();
    answerWith(() => Promise.resolve(false));
    await pass(5);
    expect(sent).toEqual([0]);
    expect(events).toEqual(['superseded']);
  });

  test('end with the attempt, even while one is being sent', async () => {
    const { reports, sent, events, answerWith, pass } = reporting();
    const answer = Promise.withResolvers<boolean>();
    answerWith(() => answer.promise);
    await pass(1);
    reports[Symbol.dispose]();
    answer.resolve(false);
    await pass(5);
    expect(sent).toEqual([0]);
    expect(events).toEqual([]);
  });
});
