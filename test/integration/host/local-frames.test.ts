import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import type { DrawFrame } from '../../../src/engine/engine-options.ts';
import { localFrames } from '../../../src/host/local-frames.ts';
import { storeLocally } from '../../../src/host/local-pictures.ts';
import { linkService } from '../../../src/host/service-link.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { FAKE_FRAME } from '../../rigs/fake-frame.ts';
import { jsonAnswer, ScriptedService, type ServiceScript } from '../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

const REQUEST = { title: 'Plum tart', scenes: [{ kind: 'title', text: 'Plum tart' }] };
const KEY = 'svc_live_of-this-test';
const UNAVAILABLE = { kind: 'unavailable' };

async function keysWith(url: string): Promise<MemoryKeyStore> {
  const keys = new MemoryKeyStore();
  await keys.set(new URL(url).origin, KEY);
  return keys;
}

/** Starts a scripted service and a client that draws its frames. */
async function scriptedFrames(
  script: ServiceScript,
  clock = systemClock,
): Promise<{ service: ScriptedService; draw: DrawFrame }> {
  const service = await ScriptedService.start(script);
  onTestFinished(() => service.stop());
  const { url, ca } = service;
  return { service, draw: localFrames({ url, ca, keys: await keysWith(url), clock }) };
}

describe('frames from the service on this computer', () => {
  it('come from its renderer until it stops', async () => {
    const serviceProgram = builtService;
    const options = { dataDir: temporaryFolder(), keys: new MemoryKeyStore(), serviceProgram };
    const link = await linkService({ kind: 'local', plan: 'starter' }, options);
    onTestFinished(() => link.close());
    const frame = await link.drawFrame?.(REQUEST);
    expect(frame).toMatchObject({ kind: 'drawn', width: 1280, height: 720, seconds: 3 });
    expect(await link.drawFrame?.({ title: 'Plum tart', scenes: [] })).toEqual({
      kind: 'refused',
      detail: '/scenes must have at least 1 scene',
    });
    expect(await link.drawFrame?.('no storyboard')).toMatchObject({ kind: 'refused' });
    const late = link.drawFrame?.(REQUEST);
    await link.close();
    expect(['drawn', 'unavailable']).toContain((await late)?.kind);
    expect(await link.drawFrame?.(REQUEST)).toEqual(UNAVAILABLE);
  });

  it('are not requested from a remote service', async () => {
    const choice = { kind: 'remote', baseUrl: 'https://service.invalid' } as const;
    const plan = { name: 'starter', anchor: 0 };
    const link = await linkService(
      { ...choice, plan },
      {
        dataDir: temporaryFolder(),
        keys: new MemoryKeyStore(),
        serviceProgram: builtService,
      },
    );
    expect(link.drawFrame).toBeNull();
  });

  it('have the clips of scenes, each of which is sent once', async () => {
    const file = path.join(temporaryFolder(), 'lake.mp4');
    writeFileSync(file, 'a clip');
    const id = `img_${'c'.repeat(22)}`;
    const service = await ScriptedService.start((_request, wire) =>
      wire.write(jsonAnswer(200, { ...FAKE_FRAME, id })),
    );
    onTestFinished(() => service.stop());
    const { url, ca } = service;
    const asset = `sha256:${'a'.repeat(64)}`;
    const pictures = { fileOf: (reference: string) => (reference === asset ? file : undefined) };
    const address = { url, ca, keys: await keysWith(url), clock: systemClock };
    const draw = localFrames(address, { pictures });
    const scenesWith = (clip: string) => [
      { kind: 'title', text: 'One', background: { asset: clip, from: 2 } },
      { kind: 'title', text: 'Two' },
      { kind: 'title', text: 'Three', background: { asset: clip, end: 'hold' } },
    ];
    await draw({ ...REQUEST, scenes: scenesWith(asset) });
    await draw({ ...REQUEST, scenes: scenesWith(asset) });
    expect(service.requests.map((each) => each.path)).toEqual([
      '/local/picture',
      '/local/frame',
      '/local/frame',
    ]);
    const [, , drawn] = service.requests;
    expect(JSON.parse(drawn?.body ?? '')).toEqual({ ...REQUEST, scenes: scenesWith(id) });
  });

  // abuse.md 53
  it('are drawn with the key of that service, which is in no result', async () => {
    const { service, draw } = await scriptedFrames(({ headers }, wire) => {
      const message = `You sent ${headers.get('x-api-key')} \u202eand\nmore`;
      wire.write(jsonAnswer(400, { success: false, message, code: 'INVALID_REQUEST' }));
    });
    expect(await draw(REQUEST)).toEqual({ kind: 'refused', detail: 'You sent … and more' });
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/local/frame' });
    expect(request?.headers.get('x-api-key')).toBe(KEY);
    expect(JSON.parse(request?.body ?? '')).toEqual(REQUEST);
  });

  it('have the captions of a file that was checked, and the voice if it times them', async () => {
    const folder = temporaryFolder();
    const srt = path.join(folder, 'talk.srt');
    writeFileSync(srt, '00:00:01,000 --> 00:00:02,000\nHello');
    const wav = path.join(folder, 'talk.wav');
    writeFileSync(wav, Buffer.from('RIFF0000WAVE'));
    const service = await ScriptedService.start((_request, wire) =>
      wire.write(jsonAnswer(200, { ...FAKE_FRAME, id: `img_${'v'.repeat(22)}` })),
    );
    onTestFinished(() => service.stop());
    const { url, ca } = service;
    const [hello, talk] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
    const files = new Map([
      [hello, srt],
      [talk, wav],
    ]);
    const pictures = { fileOf: (reference: string) => files.get(reference) };
    const address = { url, ca, keys: await keysWith(url), clock: systemClock };
    const draw = localFrames(address, { pictures });
    const voice = { asset: talk };
    await draw({ ...REQUEST, captions: hello, voice });
    await draw({ ...REQUEST, captions: `sha256:${'c'.repeat(64)}`, voice });
    await draw({ ...REQUEST, captions: 'Hello.', voice });
    const frames = service.requests.filter((each) => each.path === '/local/frame');
    expect(frames.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { ...REQUEST, captions: [{ from: 1, to: 2, text: 'Hello' }] },
      REQUEST,
      { ...REQUEST, captions: 'Hello.', voice: { asset: `img_${'v'.repeat(22)}` } },
    ]);
  });

  it('may have files that take a minute, and longer the larger they are', async () => {
    const clock = new VirtualClock();
    const answer = jsonAnswer(200, { id: `img_${'w'.repeat(22)}` });
    const service = await ScriptedService.start((_request, wire) => {
      void clock.advance(62_000).then(() => wire.write(answer));
    });
    onTestFinished(() => service.stop());
    const { url, ca } = service;
    const store = storeLocally({ url, ca, keys: await keysWith(url), clock });
    expect((await store(Buffer.alloc(900_000))).kind).toBe('unavailable');
    expect((await store(Buffer.alloc(1_100_000))).kind).toBe('uploaded');
  });

  // abuse.md 53
  it.each([
    ['a page', 'text', '<html>'],
    ['no picture', 'json', { ...FAKE_FRAME, jpeg: Buffer.from('<svg>').toString('base64') }],
    ['markup', 'json', { ...FAKE_FRAME, jpeg: '"><script>' }],
    ['no size', 'json', { ...FAKE_FRAME, width: -1 }],
    ['too much', 'json', { ...FAKE_FRAME, jpeg: `/9j/${'A'.repeat(2 * 1024 * 1024)}` }],
  ])('are unavailable when the service answers %s', async (_what, _kind, body) => {
    const { draw } = await scriptedFrames((_request, wire) => wire.write(jsonAnswer(200, body)));
    expect(await draw(REQUEST)).toEqual(UNAVAILABLE);
  });

  it.each([302, 401, 429, 500])('are unavailable when the service answers %s', async (status) => {
    const { service, draw } = await scriptedFrames((_request, wire) =>
      wire.write(jsonAnswer(status, { message: 'x' }, { Location: 'https://service.invalid' })),
    );
    expect(await draw(REQUEST)).toEqual(UNAVAILABLE);
    expect(service.requests).toHaveLength(1);
  });

  it('are unavailable without a key, for a huge request and for another certificate', async () => {
    const { service } = await scriptedFrames(() => undefined);
    const { url, ca } = service;
    const other = await ScriptedService.start(() => undefined);
    onTestFinished(() => other.stop());
    const clock = systemClock;
    const keys = await keysWith(url);
    const keyless = localFrames({ url, ca, keys: new MemoryKeyStore(), clock });
    expect(await keyless(REQUEST)).toEqual(UNAVAILABLE);
    const draw = localFrames({ url, ca, keys, clock });
    expect(await draw({ title: 'A'.repeat(1024 * 1024) })).toEqual(UNAVAILABLE);
    const forged = localFrames({ url, ca: other.ca, keys, clock });
    expect(await forged(REQUEST)).toEqual(UNAVAILABLE);
    expect(service.requests).toEqual([]);
  });

  it('are unavailable from a service that does not respond for 30 s', async () => {
    const clock = new VirtualClock();
    const { service, draw } = await scriptedFrames(() => undefined, clock);
    const asked = service.nextRequest();
    const frame = draw(REQUEST);
    await asked;
    await clock.advance(30_000);
    expect(await frame).toEqual(UNAVAILABLE);
  });

  it('are abandoned when no page waits for them', async () => {
    const { service, draw } = await scriptedFrames(() => undefined);
    const gone = new AbortController();
    const asked = service.nextRequest();
    const frame = draw(REQUEST, gone.signal);
    await asked;
    gone.abort();
    expect(await frame).toEqual(UNAVAILABLE);
  });
});
