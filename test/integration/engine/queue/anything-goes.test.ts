import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Job } from '../../../../src/contract/job.ts';
import { inEnglish } from '../../../../src/contract/told.ts';
import type { GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { FakeService, offline } from '../../../rigs/fake-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const TITLES = ['One', 'Two', 'Three', 'Four', 'Five'];
const MINUTE = 60_000;

const act = fc.oneof(
  fc.record({ do: fc.constantFrom('hold', 'release', 'cancel', 'retry', 'fetch'), job: fc.nat(4) }),
  fc.record({ do: fc.constantFrom('made', 'let-go', 'send-again'), job: fc.nat(4) }),
  fc.record({ do: fc.constant('wait'), job: fc.nat(30) }),
  fc.record({
    do: fc.constantFrom('restart', 'offline', 'online', 'pause', 'resume'),
    job: fc.nat(0),
  }),
  fc.record({
    do: fc.constantFrom(
      'unknown',
      'rejected',
      'refused-like-all',
      'rate-limited',
      'render-fails',
      'download-fails',
    ),
    job: fc.nat(0),
  }),
);

test('whatever its owner and the world do, no row is lost, sent twice by itself, or miscounted', async () => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
      rmSync(folder, { recursive: true, force: true });
      const clock = new VirtualClock();
      const service = new FakeService(clock);
      let rig = await EngineRig.open({ folder, clock, service });
      const ids = await rig.add(TITLES);
      /** Times that its owner allowed one more request for a row. */
      const allowed = ids.map(() => 1);
      try {
        for (const { do: what, job } of acts) {
          if (what === 'restart') {
            await rig.close();
            rig = await EngineRig.open({ folder, clock, service });
          } else {
            await perform(rig, what, job, ids, allowed);
          }
        }
        await rig.clock.advance(5 * MINUTE);
        await check(rig, ids, allowed);
      } finally {
        await rig.close();
      }
    }),
    { numRuns: 20 },
  );
}, 120_000);

async function perform(
  rig: EngineRig,
  what: string,
  index: number,
  ids: readonly string[],
  allowed: number[],
): Promise<void> {
  const { engine, service, clock } = rig;
  const id = ids[index] ?? '';
  const failure = { code: 'outcome-unknown', ...inEnglish('Who knows.') } as const;
  const scripted: Partial<Record<string, GenerateOutcome>> = {
    unknown: { kind: 'unknown', failure, answer: null },
    rejected: { kind: 'rejected', isAboutVideo: true, failure, answer: service.answer(400) },
    'refused-like-all': {
      ...{ kind: 'rejected', isAboutVideo: false, failure },
      answer: service.answer(403),
    },
    'rate-limited': { kind: 'rate-limited', answer: service.answer(429, { 'retry-after': '60' }) },
  };
  switch (what) {
    case 'hold':
      await engine.hold([id]);
      return;
    case 'release':
      await engine.resumeJobs([id]);
      return;
    case 'cancel':
      await settled(rig, engine.cancel([id]));
      return;
    case 'retry':
      if ((await engine.retry([id])).changed === 1) allowed[index] = (allowed[index] ?? 0) + 1;
      return;
    case 'fetch':
      await engine.fetch([id]);
      return;
    case 'made':
    case 'let-go':
    case 'send-again': {
      const { state, attempts } = await rig.job(index);
      if (state !== 'uncertain') return;
      if (what === 'send-again') allowed[index] = (allowed[index] ?? 0) + 1;
      await engine.resolve(
        what === 'made' ? { id, attempts, as: what, remoteId: 'none' } : { id, attempts, as: what },
      );
      return;
    }
    case 'wait':
      await clock.advance(index * 10_000);
      return;
    case 'offline':
      service.trouble = offline;
      return;
    case 'online':
      service.trouble = null;
      return;
    case 'pause':
      await engine.pause('sending');
      return;
    case 'resume':
      await engine.resume();
      return;
    case 'render-fails':
      service.nextStatus.push({ state: 'failed', word: 'failed', progress: null, error: null });
      return;
    case 'download-fails':
      rig.nextDownload.push({ kind: 'failed', code: 'damaged', ...inEnglish('Damaged.') });
      return;
    default: {
      const outcome = scripted[what];
      if (outcome) service.nextGenerate.push(outcome);
    }
  }
}

/** Lets time pass until a call that waits for something of the engine's has ended. */
async function settled(rig: EngineRig, call: Promise<unknown>): Promise<void> {
  let isOver = false;
  void call.finally(() => (isOver = true));
  await rig.until(() => isOver);
}

async function check(
  rig: EngineRig,
  ids: readonly string[],
  allowed: readonly number[],
): Promise<void> {
  const jobs = await rig.jobs();
  expect(jobs.map(({ id }) => id)).toEqual(ids);
  expect(rig.defects).toEqual([]);

  const made = rig.service.videos.map(({ body }) => titleIn(body));
  jobs.forEach(({ title }, index) => {
    expect(made.filter((each) => each === title).length).toBeLessThanOrEqual(allowed[index] ?? 0);
  });

  const { quota, counts } = await rig.update();
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  expect(quota.held).toBe(jobs.filter(isHeld).length);
}

/** Set aside for a request under way or of unknown outcome. */
function isHeld({ state }: Job): boolean {
  return state === 'reserved' || state === 'sending' || state === 'uncertain';
}

function titleIn(body: string): string | undefined {
  return TITLES.find((title) => body.includes(`"${title}"`));
}
