import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { profileSchema } from '../../../../src/engine/profiles/profile.ts';
import { proposeService } from '../../../../src/host/settings/propose-service.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { noisePng } from '../../../rigs/pictures.ts';
import { documentedExamples } from '../../../rigs/service-examples.ts';
import { allServices } from '../../../rigs/service-fakes/all-services.ts';
import { openai } from '../../../rigs/service-fakes/openai.ts';
import { replicate } from '../../../rigs/service-fakes/replicate.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

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

test('a profile proposed from an upload uploads a row’s picture, and names it in the request', async () => {
  const { examples, batch } = documentedExamples.find(({ service }) => service === 'replicate')!;
  const file = 'https://api.replicate.com/v1/files/cneqzikepnug6xezperrr4z55o';
  const { profile } = proposeService({
    ...examples,
    requests: {
      ...examples.requests,
      generate: examples.requests.generate.replace(
        '"duration": 6',
        `"duration": 6, "first_frame_image": "${file}"`,
      ),
      upload: `curl -X POST -H "Authorization: Bearer $REPLICATE_API_TOKEN" \\
  -F 'content=@/path/to/photo.png;type=image/png;filename=photo.png' \\
  https://api.replicate.com/v1/files`,
    },
    answers: {
      ...examples.answers,
      upload: `{"id":"cneqzikepnug6xezperrr4z55o","name":"photo.png","content_type":"image/png","size":1,"metadata":{},"urls":{"get":"${file}"}}`,
    },
  });
  const rig = await ServiceRig.open(replicate, certificate, {
    profile: profileSchema.parse(profile),
    batch,
  });
  const folder = temporaryFolder();
  const png = noisePng(40, 30);
  writeFileSync(path.join(folder, 'boat.png'), png);
  const content =
    'title,prompt,first_frame_image\nOne,A boat,boat.png\nTwo,Another boat,boat.png\n';
  const { origin } = rig.engine.summary().service;
  const source = { name: 'Batch.csv', content, folder };
  await rig.engine.commands.batches.add({ origin, source, options: {} });

  await rig.until(async () => (await rig.states()).every((state) => state === 'done'));

  expect(rig.service.wrong).toEqual([]);
  expect(rig.service.uploads).toEqual([{ name: 'picture.png', type: 'image/png', bytes: png }]);
  const named = rig.service.generates.map(
    ({ body }) => (JSON.parse(body) as { input: unknown }).input,
  );
  expect(named).toEqual([
    {
      prompt: 'A boat',
      duration: 6,
      first_frame_image: 'https://api.replicate.com/v1/files/file-1',
    },
    {
      prompt: 'Another boat',
      duration: 6,
      first_frame_image: 'https://api.replicate.com/v1/files/file-1',
    },
  ]);
});
