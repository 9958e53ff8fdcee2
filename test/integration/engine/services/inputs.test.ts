import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { profileSchema, type Profile } from '../../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { creatomate } from '../../../rigs/service-fakes/creatomate.ts';
import { heygen } from '../../../rigs/service-fakes/heygen.ts';
import { openai } from '../../../rigs/service-fakes/openai.ts';
import { replicate } from '../../../rigs/service-fakes/replicate.ts';
import { runway } from '../../../rigs/service-fakes/runway.ts';
import type { ServiceFacts } from '../../../rigs/service-fakes/service-facts.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';
import { noisePng } from '../../../rigs/pictures.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { shotstack } from '../../../rigs/service-fakes/shotstack.ts';

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

/** The requests for the rows of a file, with the built-in profile of a service. */
async function requestsFor(
  facts: ServiceFacts,
  service: 'runway' | 'creatomate' | 'shotstack',
  header: string,
  ...rows: string[]
) {
  const rig = await ServiceRig.open(facts, certificate, {
    profile: builtInProfile(service),
    batch: [header, rows.join('\n')],
  });
  await rig.add(1);
  await rig.until(async () => (await rig.states()).every((state) => state === 'done'));
  expect(rig.service.wrong).toEqual([]);
  return rig.service.generates.map(({ path, body }) => ({
    path,
    body: JSON.parse(body) as unknown,
  }));
}

test('Runway: a row with a picture is sent to another address, with its model', async () => {
  expect(
    await requestsFor(
      runway,
      'runway',
      'prompt,image,model,seconds,size',
      'A lake,,,,',
      'A boat,https://a.example/1.png,gen4_turbo,4,960:960',
    ),
  ).toEqual([
    {
      path: '/v1/text_to_video',
      body: { model: 'gen4.5', promptText: 'A lake', duration: 5, ratio: '1280:720' },
    },
    {
      path: '/v1/image_to_video',
      body: {
        model: 'gen4_turbo',
        promptImage: 'https://a.example/1.png',
        promptText: 'A boat',
        duration: 4,
        ratio: '960:960',
      },
    },
  ]);
});

test('Runway: a picture of this computer is in the request', async () => {
  const folder = temporaryFolder();
  const png = noisePng(40, 30);
  writeFileSync(path.join(folder, 'boat.png'), png);
  const rig = await ServiceRig.open(runway, certificate);
  const { origin } = rig.engine.summary().service;
  const content = 'prompt,image,seconds\nA boat,boat.png,4\n';
  const source = { name: 'Batch.csv', content, folder };
  await rig.engine.commands.batches.add({ origin, source, options: {} });
  await rig.until(async () => (await rig.states()).every((state) => state === 'done'));
  expect(rig.service.wrong).toEqual([]);
  const [{ path: to, body } = { path: '', body: '{}' }] = rig.service.generates;
  expect(to).toBe('/v1/image_to_video');
  expect(JSON.parse(body)).toMatchObject({
    promptImage: `data:image/png;base64,${png.toString('base64')}`,
  });
});

/** An engine with two rows that show the same picture, until both videos are saved. */
async function withBoat(facts: ServiceFacts, content: string, profile?: Profile) {
  const folder = temporaryFolder();
  const png = noisePng(40, 30);
  writeFileSync(path.join(folder, 'boat.png'), png);
  const described = profile === undefined ? undefined : { profile, batch: facts.batch };
  const rig = await ServiceRig.open(facts, certificate, described);
  const { origin } = rig.engine.summary().service;
  const source = { name: 'Batch.csv', content, folder };
  await rig.engine.commands.batches.add({ origin, source, options: {} });
  await rig.until(async () => (await rig.states()).every((state) => state === 'done'));
  expect(rig.service.wrong).toEqual([]);
  return { png, service: rig.service };
}

test('Replicate: a picture is uploaded once, and named by both requests', async () => {
  const rows = 'prompt,start image\nA boat,boat.png\nAnother boat,boat.png\n';
  const { png, service } = await withBoat(replicate, rows);
  expect(service.uploads).toEqual([{ name: 'picture.png', type: 'image/png', bytes: png }]);
  const inputs = service.generates.map(({ body }) => (JSON.parse(body) as { input: object }).input);
  const first_frame_image = 'https://api.replicate.com/v1/files/file-1';
  expect(inputs).toMatchObject([{ first_frame_image }, { first_frame_image }]);
});

test('HeyGen: a picture is uploaded and takes the place of the background’s colour', async () => {
  const rows = [
    'title,script,avatar,background,picture',
    'One,Hello,Abigail,#ff0000,boat.png',
    'Two,Hello,Abigail,#ff0000,',
    'Three,Hello,Abigail,,',
  ];
  const { png, service } = await withBoat(heygen, rows.join('\n'));
  expect(service.uploads).toEqual([{ name: 'picture.png', type: 'image/png', bytes: png }]);
  const sent = service.generates.map(
    ({ body }) => (JSON.parse(body) as { background?: object }).background,
  );
  expect(sent).toEqual([
    { type: 'image', asset_id: 'asset_1' },
    { type: 'color', value: '#ff0000' },
    undefined,
  ]);
});

test('OpenAI’s endpoints: a picture is a file of the form', async () => {
  const example = path.join('examples', 'services', 'openai-compatible.json');
  const profile = profileSchema.parse(JSON.parse(readFileSync(example, 'utf8')));
  const rows = 'prompt,image,model,seconds\nA boat,boat.png,wan-2.2,5\nA lake,,wan-2.2,5\n';
  const { png, service } = await withBoat(openai, rows, profile);
  expect(service.videos.map(({ request }) => request)).toEqual([
    {
      model: 'wan-2.2',
      prompt: 'A boat',
      seconds: '5',
      size: '720x1280',
      input_reference: { name: 'picture.png', type: 'image/png', bytes: png },
    },
    { model: 'wan-2.2', prompt: 'A lake', seconds: '5', size: '720x1280' },
  ]);
});

test('Creatomate: every column fills the element of its name, with its type', async () => {
  const template = '8ea1bb5f-c2f6-4a80-b4d9-f4ab1a5f3b2e';
  expect(
    await requestsFor(
      creatomate,
      'creatomate',
      'Template ID,Title,Title.fill_color,Photo-1.source,Scene.duration,Größe',
      `${template},Lake,#ff0000,https://a.example/1.png,4.5,007`,
      `${template},Boat,,,3,`,
    ),
  ).toMatchObject([
    {
      body: {
        template_id: template,
        modifications: {
          Title: 'Lake',
          'Title.fill_color': '#ff0000',
          'Photo-1.source': 'https://a.example/1.png',
          'Scene.duration': 4.5,
          Größe: '007',
        },
      },
    },
    { body: { modifications: { Title: 'Boat', 'Scene.duration': 3 } } },
  ]);
});

test('Shotstack: a template gets every other column as a merge field', async () => {
  const template = 'ca84c7c5-5fe4-66d3-839e-ee0f1d4c2641';
  expect(
    await requestsFor(
      shotstack,
      'shotstack',
      'title,template,text,NAME,TRIM',
      `Clip 1,${template},,Ann,3`,
      `Clip 3,${template},,,`,
      'Clip 2,,A lake,,',
    ),
  ).toEqual([
    {
      path: '/edit/v1/templates/render',
      body: {
        id: template,
        merge: [
          { find: 'title', replace: 'Clip 1' },
          { find: 'NAME', replace: 'Ann' },
          { find: 'TRIM', replace: 3 },
        ],
      },
    },
    {
      path: '/edit/v1/templates/render',
      // An empty text is sent: left out, the video would show the field's name.
      body: {
        id: template,
        merge: [
          { find: 'title', replace: 'Clip 3' },
          { find: 'NAME', replace: '' },
        ],
      },
    },
    {
      path: '/edit/v1/render',
      body: {
        timeline: {
          background: '#000000',
          tracks: [{ clips: [{ asset: { type: 'text', text: 'A lake' }, start: 0, length: 5 }] }],
        },
        output: { format: 'mp4', resolution: 'hd', aspectRatio: '16:9' },
      },
    },
  ]);
});
