import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { allServices } from '../../../rigs/service-fakes/all-services.ts';
import { recordingOf } from '../../../rigs/service-fakes/recording.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

describe.each(allServices.map((facts) => [facts.service, facts] as const))('%s', (_, facts) => {
  const open = (): Promise<ServiceRig> => ServiceRig.open(facts, certificate);
  const isAll = (rig: ServiceRig, state: string) => async (): Promise<boolean> =>
    (await rig.states()).every((each) => each === state);

  test('renders a batch to files', async () => {
    const rig = await open();
    await rig.add(3);

    await rig.until(isAll(rig, 'done'));

    const jobs = await rig.jobs();
    const files = jobs.map(({ file }) => readFileSync(file?.path ?? ''));
    expect(files).toEqual([1, 2, 3].map((number) => rig.service.file(number)));
    expect(jobs.map(({ title }) => title)).toEqual(['Clip 1', 'Clip 2', 'Clip 3']);
    expect(rig.service.generates).toHaveLength(3);
    expect(rig.service.wrong).toEqual([]);
    expect(rig.defects).toEqual([]);
    const recording = `../../../../docs/services/${facts.service}.http`;
    await expect(recordingOf(rig.service)).toMatchFileSnapshot(recording);
  });

  test('repeats a rate-limited request, and submits no video twice', async () => {
    const rig = await open();
    rig.service.next.push('limited');
    await rig.add(2);

    await rig.until(isAll(rig, 'done'), 48 * HOUR);

    expect(rig.service.generates).toHaveLength(3);
    expect(rig.service.videos).toHaveLength(2);
    expect(rig.service.wrong).toEqual([]);
  });

  test('rejects only the row that the service refuses, with the service’s message', async () => {
    const rig = await open();
    rig.service.next.push('refused');
    await rig.add(2);

    await rig.until(async () => (await rig.states())[1] === 'done');

    const [first] = await rig.jobs();
    expect(first?.state).toBe('rejected');
    expect(first?.failure?.detail).toContain(facts.refused.says);
    expect(rig.service.videos).toHaveLength(1);
  });

  test('reports why a video failed', async () => {
    const rig = await open();
    rig.service.failing.add(1);
    await rig.add(2);

    await rig.until(async () => (await rig.states())[1] === 'done');
    const ended = facts.service === 'runway' ? 'rejected' : 'failed';
    await rig.until(async () => (await rig.states())[0] === ended);

    expect((await rig.jobs())[0]?.failure?.detail).toContain(facts.failure);
    expect(rig.service.videos).toHaveLength(2);
  });

  test('renews a link that expired', async ({ skip }) => {
    skip(facts.contentPath !== undefined, 'its file has no link: the key fetches it');
    const rig = await open();
    rig.service.expiresLinksOnce = true;
    await rig.add(1);

    await rig.until(isAll(rig, 'done'));

    expect(rig.service.exchanges.map(({ status }) => status)).toContain(403);
    expect(rig.service.wrong).toEqual([]);
  });

  test('never repeats a request whose response was lost', async () => {
    const rig = await open();
    rig.service.next.push('lost');
    await rig.add(1);

    await rig.until(async () => (await rig.states())[0] === 'uncertain');
    await rig.clock.advance(6 * HOUR);

    expect(rig.service.generates).toHaveLength(1);
    expect(await rig.states()).toEqual(['uncertain']);
  });

  test('continues after a restart, and requests no video twice', async () => {
    const rig = await open();
    await rig.add(2);
    await rig.until(() => rig.service.videos.length >= 1);
    await rig.close();

    await rig.start();
    await rig.until(isAll(rig, 'done'));

    expect(rig.service.videos).toHaveLength(2);
    expect(rig.service.generates).toHaveLength(2);
    expect(rig.service.wrong).toEqual([]);
  });

  test('waits for another key', async ({ skip }) => {
    skip(facts.keyRefused === null, 'its answer to a bad key is not documented');
    const rig = await open();
    rig.service.isKeyBad = true;
    await rig.add(2);

    await rig.clock.advance(HOUR);

    expect(await rig.states()).toEqual(['queued', 'queued']);
    expect(rig.service.generates).toHaveLength(1);
  });

  test('waits when the quota is used up', async ({ skip }) => {
    skip(facts.usedUp === null, 'its answer to a used-up balance is not documented');
    const rig = await open();
    rig.service.isUsedUp = true;
    await rig.add(2);
    await rig.clock.advance(HOUR);
    expect(await rig.states()).toEqual(['queued', 'queued']);
    expect(rig.service.generates.length).toBeLessThan(5);

    rig.service.isUsedUp = false;
    await rig.until(isAll(rig, 'done'), 48 * HOUR);

    expect(rig.service.videos).toHaveLength(2);
  });
});

const withCancellation = allServices.filter(({ cancel }) => cancel !== undefined);

describe.each(withCancellation.map((facts) => [facts.service, facts] as const))(
  'cancelling at %s',
  (_, facts) => {
    const cancelFirst = async (rig: ServiceRig): Promise<void> => {
      const [first] = await rig.jobs();
      await rig.engine.commands.jobs.cancel({ ids: [first?.id ?? ''] });
    };
    /** Opens a rig whose first cancellation failed and will be repeated. */
    const openWithFailedCancel = async (): Promise<ServiceRig> => {
      const rig = await ServiceRig.open(facts, certificate);
      rig.service.nextCancels.push(503);
      await rig.add(1);
      await rig.until(hasState(rig, 'rendering'));
      await cancelFirst(rig);
      await rig.until(() => rig.service.cancels.length === 1);
      return rig;
    };
    const eventsOf = async (rig: ServiceRig): Promise<readonly string[]> => {
      const [first] = await rig.jobs();
      const { history } = await rig.engine.commands.jobs.show({ id: first?.id ?? '' });
      return history.map(({ event }) => event);
    };
    const isReported = (rig: ServiceRig) => async (): Promise<boolean> =>
      (await eventsOf(rig)).at(-1)?.endsWith('cancelled-at-service') ?? false;
    const hasState = (rig: ServiceRig, state: string) => async (): Promise<boolean> =>
      (await rig.states())[0] === state;

    test('stops an abandoned render, also after errors and a restart', async () => {
      const rig = await ServiceRig.open(facts, certificate);
      rig.service.nextCancels.push(503, 503);
      await rig.add(2);
      await rig.until(hasState(rig, 'rendering'));
      await cancelFirst(rig);
      await rig.until(() => rig.service.cancels.length === 1);
      expect((await rig.jobs())[0]?.wait?.reason).toBe('cancelling');
      await rig.close();

      await rig.start();
      await rig.until(isReported(rig));

      expect((await eventsOf(rig)).slice(-2)).toEqual(['abandoned', 'cancelled-at-service']);
      expect((await rig.jobs())[0]).toMatchObject({ state: 'abandoned', wait: null });
      expect(rig.service.cancels).toHaveLength(3);
      expect(rig.service.videos[0]?.isCancelled).toBe(true);
      await rig.until(async () => (await rig.states())[1] === 'done');
      expect(rig.service.generates).toHaveLength(2);
      expect(rig.service.wrong).toEqual([]);
    });

    test('spares a finished video, which can then be downloaded', async () => {
      const rig = await ServiceRig.open(facts, certificate);
      rig.service.renderMs = 1000;
      await rig.add(1);
      await rig.until(hasState(rig, 'submitted'));
      await rig.clock.advance(999);
      await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' });
      await cancelFirst(rig);
      await rig.clock.advance(HOUR);
      expect(rig.service.cancels).toHaveLength(0);
      await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
      await rig.until(isReported(rig));

      expect((await eventsOf(rig)).at(-1)).toBe('not-cancelled-at-service');
      const [job] = await rig.jobs();
      await rig.engine.commands.jobs.downloadAgain({ ids: [job?.id ?? ''] });
      await rig.until(hasState(rig, 'done'));
      expect(rig.service.wrong).toEqual([]);
    });

    test('is not repeated once the user wants the video', async () => {
      const rig = await openWithFailedCancel();
      const [job] = await rig.jobs();
      await rig.engine.commands.jobs.downloadAgain({ ids: [job?.id ?? ''] });
      await rig.until(hasState(rig, 'done'));

      expect(rig.service.cancels).toHaveLength(1);
      expect(rig.service.wrong).toEqual([]);
    });

    test('is not repeated once another batch uses the video', async () => {
      const rig = await openWithFailedCancel();
      await rig.add(1, 'Other.csv');
      await rig.until(async () => (await rig.states())[1] === 'done');

      expect(rig.service.cancels).toHaveLength(1);
      expect(rig.service.generates).toHaveLength(1);
      expect((await rig.jobs())[0]).toMatchObject({ state: 'abandoned', wait: null });
    });

    test('withholds the video from later batches', async () => {
      const rig = await ServiceRig.open(facts, certificate);
      await rig.add(1);
      await rig.until(hasState(rig, 'rendering'));
      await cancelFirst(rig);
      await rig.until(isReported(rig));
      await rig.add(1, 'Other.csv');
      await rig.until(async () => (await rig.states())[1] === 'done');

      expect(rig.service.generates).toHaveLength(2);
      expect(rig.service.wrong).toEqual([]);
    });

    test.each([401, 429])('does not stop the queue when refused with %i', async (status) => {
      const rig = await ServiceRig.open(facts, certificate);
      // A request refused with 429 is repeated for 51 minutes, one refused with 401 never.
      if (status === 429) rig.service.renderMs = HOUR;
      rig.service.nextCancels.push(...Array.from({ length: 20 }, () => status));
      await rig.add(2);
      await rig.until(hasState(rig, 'rendering'));
      await cancelFirst(rig);
      await rig.until(isReported(rig), HOUR, MINUTE);
      expect((await eventsOf(rig)).at(-1)).toBe('not-cancelled-at-service');
      expect(rig.service.cancels).toHaveLength(status === 401 ? 1 : 12);
      await rig.until(async () => (await rig.states())[1] === 'done', 5 * HOUR, MINUTE);
    });

    test('is repeated with the next key after a bad one', async () => {
      const rig = await ServiceRig.open(facts, certificate);
      rig.service.renderMs = 4 * HOUR;
      await rig.add(1);
      await rig.until(hasState(rig, 'rendering'));
      rig.service.isKeyBad = true;
      await cancelFirst(rig);
      await rig.clock.advance(2 * HOUR);
      expect((await rig.jobs())[0]?.wait?.reason).toBe('cancelling');

      rig.service.isKeyBad = false;
      await rig.engine.commands.key.set({ origin: rig.service.origin, value: rig.service.key });
      await rig.until(isReported(rig), HOUR);

      expect((await eventsOf(rig)).at(-1)).toBe('cancelled-at-service');
    });

    test('is done when the response was lost but the service reports the render as ended', async () => {
      const rig = await ServiceRig.open(facts, certificate);
      rig.service.losesCancel = true;
      await rig.add(1);
      await rig.until(hasState(rig, 'rendering'));
      await cancelFirst(rig);
      await rig.until(isReported(rig));

      expect((await eventsOf(rig)).at(-1)).toBe('cancelled-at-service');
      await rig.add(1, 'Other.csv');
      await rig.until(async () => (await rig.states())[1] === 'done');
      expect(rig.service.wrong).toEqual([]);
    });
  },
);
