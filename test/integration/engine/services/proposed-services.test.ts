import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { profileSchema } from '../../../../src/engine/profiles/profile.ts';
import { proposeService } from '../../../../src/host/settings/propose-service.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { documentedExamples } from '../../../rigs/service-examples.ts';
import { allServices } from '../../../rigs/service-fakes/all-services.ts';
import { openai } from '../../../rigs/service-fakes/openai.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

test.each(documentedExamples.map((documented) => [documented.service, documented] as const))(
  'a profile proposed from the documentation of %s renders a batch to files',
  async (service, { examples, batch }) => {
    const facts = [openai, ...allServices].find((each) => each.service === service);
    if (facts === undefined) throw new Error('There is no fake of this service.');
    const profile = profileSchema.parse(proposeService(examples).profile);
    expect(profile.api?.origin).toBe(facts.origin);
    const rig = await ServiceRig.open(facts, certificate, { profile, batch });
    rig.service.failing.add(2);
    await rig.add(3);

    await rig.until(async () =>
      (await rig.states()).every((state) => ['done', 'failed', 'rejected'].includes(state)),
    );

    const jobs = await rig.jobs();
    // OpenAI's example of a failure is a refusal of the prompt.
    const ended = service === 'openai' ? 'rejected' : 'failed';
    expect(jobs.map(({ state }) => state)).toEqual(['done', ended, 'done']);
    expect(jobs.map(({ title }) => title)).toEqual(['Clip 1', 'Clip 2', 'Clip 3']);
    const saved = [0, 2].map((at) => readFileSync(jobs[at]?.file?.path ?? ''));
    expect(saved).toEqual([rig.service.file(1), rig.service.file(3)]);
    expect(rig.service.generates).toHaveLength(3);
    expect(rig.service.generates.map(({ body }) => body).join()).toMatch(/number 2/);
    expect(rig.service.wrong).toEqual([]);
    expect(rig.defects).toEqual([]);
  },
);
