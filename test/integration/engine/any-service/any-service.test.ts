import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../../../src/contract/job.ts';
import { serviceApiSchema, type ServiceApi } from '../../../../src/contract/service-profile.ts';
import { openEngine, type TestEngine } from '../../../rigs/open-engine.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import type { Profile } from '../../../../src/engine/profiles/profile.ts';
import { usualRules } from '../../../../src/engine/service/vocabularies.ts';
import { ANY_SERVICE_KEY, AnyService } from '../../../rigs/any-service.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { FastClock } from '../../../rigs/fast-clock.ts';
import { sha256 } from '../../../rigs/seeded-video.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** Fast enough for renders and waits, slow enough for real sockets and disks. */
const SPEED = 20;

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

/** A service with a given profile, and one engine at a time that uses it. */
class Rig {
  readonly service: AnyService;
  readonly #folder = temporaryFolder();
  readonly #clock: FastClock;
  #engine: TestEngine | null = null;
  readonly logged: string[] = [];

  private constructor(service: AnyService, clock: FastClock) {
    this.service = service;
    this.#clock = clock;
  }

  static async start(api: unknown, options: { readonly linkLifeMs?: number } = {}): Promise<Rig> {
    const clock = new FastClock(Date.now(), SPEED);
    const parsed: ServiceApi = serviceApiSchema.parse(api);
    const service = await AnyService.start({ api: parsed, clock, certificate, ...options });
    onTestFinished(() => service.stop());
    const rig = new Rig(service, clock);
    onTestFinished(() => rig.close());
    return rig;
  }

  /** Opens an engine on the queue of the previous one. */
  async open(change: Partial<ServiceApi> = {}): Promise<TestEngine> {
    const { origin, filesHost, api } = this.service;
    const keys = new MemoryKeyStore();
    await keys.set(origin, ANY_SERVICE_KEY);
    const profile: Profile = {
      name: 'Any',
      api: { ...api, ...change },
      request: {
        title: 'title',
        columns: {
          title: { type: 'text', required: true },
          seconds: { type: 'number', default: 4 },
        },
        preset: [],
        body: { prompt: '{{title}}', seconds: '{{seconds}}', metadata: { a: ['{{title}}'] } },
      },
      answers: { ...usualRules, link: { url: ['url'], expiresAt: ['expiresAt'] } },
    };
    this.#engine = await openEngine({
      dataDir: path.join(this.#folder, 'engine'),
      service: {
        name: 'any',
        baseUrl: origin,
        ca: certificate.ca,
        profile,
        allowedDownloadOrigin: filesHost,
        usualRenderMs: 5000,
      },
      plan: { name: 'custom', limit: 500, anchor: 0 },
      defaultFolder: path.join(this.#folder, 'renders'),
      keys,
      clock: this.#clock,
      random: () => 0.5,
      logger: {
        info: () => undefined,
        warn: (fields) => this.logged.push(JSON.stringify(fields)),
        trace: (...traced) => this.logged.push(JSON.stringify(traced)),
      },
    });
    return this.#engine;
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = null;
  }

  async add(titles: readonly string[]): Promise<void> {
    const content = ['title', ...titles].join('\n');
    const source = { name: 'Batch.csv', content };
    await this.#engine?.commands.batches.add({ origin: this.service.origin, source, options: {} });
  }

  async jobs(): Promise<Job[]> {
    return (await this.#engine?.commands.jobs.list({ offset: 0, limit: 100 }))?.jobs ?? [];
  }

  /** Waits until every job is in one of these states. */
  async settled(...states: Job['state'][]): Promise<Job[]> {
    await expect
      .poll(async () => (await this.jobs()).map(({ state }) => state), {
        interval: 20,
      })
      .toSatisfy((all: Job['state'][]) => all.every((state) => states.includes(state)));
    return this.jobs();
  }

  /** Expects one saved file for each video. */
  async expectFiles(): Promise<void> {
    const saved = (await this.jobs()).map(({ file }) => sha256(readFileSync(file?.path ?? '')));
    expect(saved.toSorted()).toEqual(
      this.service.videos.map(({ bytes }) => sha256(bytes)).toSorted(),
    );
  }

  /** Expects the key in its header at the service's endpoints, and nowhere else. */
  expectKeyOnlyInItsHeader(): void {
    const { auth } = this.service.api;
    for (const { url, headers, body } of this.service.requests) {
      const { [auth.header]: own, ...others } = headers;
      expect([url, body, JSON.stringify(others)].join()).not.toContain(ANY_SERVICE_KEY);
      expect(own).toContain(ANY_SERVICE_KEY);
    }
    expect(JSON.stringify(this.service.fileRequests)).not.toContain(ANY_SERVICE_KEY);
    expect(this.logged.join()).not.toContain(ANY_SERVICE_KEY);
  }
}

const MANY = {
  limits: {
    windows: [
      { endpoint: 'generate', count: 100, perMs: 60_000 },
      { endpoint: 'status', count: 600, perMs: 60_000 },
    ],
  },
};
const BEARER = { auth: { header: 'Authorization', scheme: 'Bearer' } };

const KINDS: [string, unknown][] = [
  ['the documented API', {}],
  [
    'links from an endpoint, with other paths and multipart',
    {
      ...MANY,
      auth: { header: 'X-Goog-Key' },
      headers: { 'X-Version': '2026-11-20' },
      generate: { path: '/v1/renders', body: 'multipart' },
      status: { path: '/v2/movies?project={id}' },
      file: { kind: 'link-endpoint', path: '/v1/renders/{id}/link' },
    },
  ],
  [
    'links in the status',
    {
      ...MANY,
      ...BEARER,
      generate: { path: '/v1/videos' },
      status: { path: '/v1/tasks/{id}' },
      file: { kind: 'in-status', lifeMs: 3_600_000 },
    },
  ],
  [
    'links in the status, which is at an address',
    {
      ...MANY,
      auth: { header: 'Authorization', scheme: 'Key' },
      generate: { path: '/v1/models/fast/predictions' },
      status: { addressAt: 'urls.get', under: '/v1/predictions/' },
      file: { kind: 'in-status' },
    },
  ],
  [
    'files at an authorised path',
    {
      ...MANY,
      ...BEARER,
      generate: { path: '/v1/videos', body: 'multipart' },
      status: { path: '/v1/videos/{id}' },
      file: { kind: 'content', path: '/v1/videos/{id}/content' },
    },
  ],
  [
    'files at an authorised address in the status',
    {
      ...MANY,
      auth: { header: 'X-Goog-Api-Key' },
      generate: { path: '/v1beta/models/veo:predictLongRunning' },
      status: { addressAt: 'name', under: '/v1beta/operations/' },
      file: { kind: 'content-in-status', addressAt: 'response.video.uri', under: '/v1beta/files/' },
    },
  ],
];

describe.each(KINDS)('%s', (_name, api) => {
  test('saves a batch although the engine restarts during a download', async () => {
    const rig = await Rig.start(api);
    let release = (): void => undefined;
    rig.service.holdFiles = new Promise<void>((resolve) => (release = resolve));
    await rig.open();
    await rig.add(['One', 'Two', 'Three']);
    await expect
      .poll(async () => (await rig.jobs()).some(({ state }) => state === 'downloading'), {
        interval: 20,
      })
      .toBe(true);
    await rig.close();
    release();
    rig.service.holdFiles = null;
    await rig.open();

    const jobs = await rig.settled('done');

    expect(jobs).toHaveLength(3);
    expect(rig.service.videos.map(({ request }) => request.prompt)).toEqual([
      'One',
      'Two',
      'Three',
    ]);
    await rig.expectFiles();
    rig.expectKeyOnlyInItsHeader();
  });

  test('handles a rate limit, a refusal, a failed render, a broken status and a truncated file', async () => {
    const rig = await Rig.start(api);
    rig.service.generateFaults.push('rate-limited', 'refused', 'fails');
    rig.service.statusFaults.push('rate-limited', 'server-error', 'no-json');
    rig.service.fileFaults.push('cut');
    await rig.open();
    await rig.add(['Refused', 'Fails', 'Good']);

    const jobs = await rig.settled('done', 'failed', 'rejected');

    expect(jobs.map(({ state }) => state)).toEqual(['rejected', 'failed', 'done']);
    expect(jobs.map(({ failure }) => failure?.code)).toEqual([
      'service-refused',
      'render-failed',
      undefined,
    ]);
    expect(rig.service.videos).toHaveLength(2);
    expect(existsSync(jobs[2]?.file?.path ?? '')).toBe(true);
    rig.expectKeyOnlyInItsHeader();
  });

  test('a lost response leaves the video uncertain, and the request is never repeated', async () => {
    const rig = await Rig.start(api);
    rig.service.generateFaults.push('lost');
    await rig.open();
    await rig.add(['One']);
    await rig.settled('uncertain');
    await rig.close();
    await rig.open();

    const [job] = await rig.settled('uncertain');

    expect(job?.failure?.code).toBe('outcome-unknown');
    expect(rig.service.seen('generate')).toHaveLength(1);
  });
});

test('a link in the status is renewed by requesting the status again', async () => {
  const [, api] = KINDS[2] ?? [];
  const rig = await Rig.start(api);
  rig.service.fileFaults.push('expired-link');
  await rig.open();
  await rig.add(['One']);

  await rig.settled('done');

  const links = rig.service.fileRequests.map(({ url }) =>
    new URL(url, 'https://a').searchParams.get('link'),
  );
  expect(links).toHaveLength(2);
  expect(new Set(links).size).toBe(2);
  expect(rig.service.requests).toHaveLength(1 + rig.service.seen('status').length);
});

test('the forecast has no limit of links that come with the status', async () => {
  const [, api] = KINDS[2] ?? [];
  const rig = await Rig.start({ ...(api as object), limits: {} });
  const engine = await rig.open();

  expect(engine.summary().limits.download).toMatchObject({ limit: 60, windowSeconds: 60 });
});

// abuse.md 56
test('a file at an authorised path is redirected without the key', async () => {
  const [, api] = KINDS[4] ?? [];
  const rig = await Rig.start(api);
  rig.service.redirectsFiles = true;
  await rig.open();
  await rig.add(['One', 'Two']);

  await rig.settled('done');

  expect(rig.service.fileRequests).toHaveLength(2);
  await rig.expectFiles();
  rig.expectKeyOnlyInItsHeader();
});

test('a refused file at an authorised path is retried after a status request', async () => {
  const [, api] = KINDS[4] ?? [];
  const rig = await Rig.start(api);
  rig.service.fileFaults.push('expired-link');
  await rig.open();
  await rig.add(['One']);

  await rig.settled('done');

  const kinds = ['status', 'file'] as const;
  const order = rig.service.requests.flatMap((request) =>
    kinds.filter((kind) => rig.service.seen(kind).includes(request)),
  );
  expect(order.slice(-3)).toEqual(['file', 'status', 'file']);
});

test('a status that names another status is not followed there', async () => {
  const [, api] = KINDS[3] ?? [];
  const rig = await Rig.start(api);
  rig.service.namesOtherStatus = true;
  await rig.open();
  await rig.add(['One']);

  await rig.settled('done');

  expect(rig.service.requests.filter(({ url }) => url.includes('another'))).toEqual([]);
});

// abuse.md 55
test('a status on another origin is not requested, and leaves the video uncertain', async () => {
  const [, api] = KINDS[3] ?? [];
  const rig = await Rig.start(api);
  rig.service.generateFaults.push('status-elsewhere');
  await rig.open();
  await rig.add(['One']);

  const [job] = await rig.settled('uncertain');

  expect(job?.failure?.message).toContain(
    'the address of the video’s status is missing or leads elsewhere',
  );
  expect(rig.service.fileRequests).toEqual([]);
});

// abuse.md 56
test('a link to an origin that the profile does not name fails before it is requested', async () => {
  const [, api] = KINDS[2] ?? [];
  const rig = await Rig.start(api);
  await rig.open({ linkOrigins: ['https://cdn.example.com'] });
  await rig.add(['One']);

  const [job] = await rig.settled('failed');

  expect(job?.failure?.message).toContain('which the service profile does not allow for files');
  expect(rig.service.fileRequests).toEqual([]);
});

test('a wrong key is reported, and nothing is rendered', async () => {
  const [, api] = KINDS[4] ?? [];
  const rig = await Rig.start({
    ...(api as object),
    auth: { header: 'authorization', scheme: 'Key' },
  });
  const engine = await rig.open({ auth: { header: 'authorization', scheme: 'Bearer' } });
  await rig.add(['One']);

  await expect.poll(() => engine.summary().key.state).toBe('refused');

  expect(rig.service.videos).toEqual([]);
});

test('a profile of another service opens no queue', async () => {
  const rig = await Rig.start({});

  await expect(rig.open({ origin: 'https://api.example.com' })).rejects.toThrow(
    'This profile is for https://api.example.com.',
  );
});
