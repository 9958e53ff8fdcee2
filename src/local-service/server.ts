import { isIPv6 } from 'node:net';
import path from 'node:path';
import type { Logger } from 'pino';
import type { HashParameters } from './accounts/password-records.ts';
import { type RateLimitOptions, RateLimits } from './accounts/rate-limits.ts';
import { createApp } from './api/app.ts';
import { obtainCertificate } from './certificate.ts';
import { type After, type Clock, systemAfter } from './clock.ts';
import { DiskSpace } from './disk-space.ts';
import { HttpsListener } from './https-listener.ts';
import { createHttpServer, keepCertificateFresh } from './http-server.ts';
import { acquireServiceLock } from './service-lock.ts';
import { openSqliteStores } from './sqlite/sqlite-stores.ts';
import type { FrameSource } from './rendering/frame-preview.ts';
import type { Blobs } from './storage/blobs.ts';
import { FolderBlobs } from './storage/folder-blobs.ts';
import { ImageStore } from './videos/image-store.ts';
import type { Stores } from './stores.ts';
import { studioHost } from './studio/studio-host.ts';
import { studioPartsOf } from './studio/studio-parts.ts';
import { SignedUrls } from './videos/signed-urls.ts';
import type { RenderMonitor } from './videos/render-monitor.ts';
import { RenderQueue, type RenderQueueOptions } from './videos/render-queue.ts';
import type { Renderer } from './videos/renderer.ts';
import { RetentionSweep } from './videos/retention.ts';
import { VideoFiles } from './videos/video-files.ts';
import { WORK_FOLDER } from './videos/work-folder.ts';

export interface ServiceOptions extends RateLimitOptions {
  readonly dataDir: string;
  /** How long to wait for another service on the data folder to end; milliseconds, default 0. */
  readonly timeoutMs?: number;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /**
   * Addresses of a proxy that terminates TLS, in the format of Fastify's `trustProxy`. The service
   * then accepts plain HTTP, from that proxy only.
   */
  readonly behindProxy?: string | undefined;
  readonly clock: Clock;
  /** Default: the system's timers. */
  readonly after?: After;
  readonly log: Logger;
  readonly renderer: Renderer;
  readonly frames: FrameSource;
  /** How many videos are rendered at once, at first (`RunningService.renderAtOnce`). */
  readonly workers: number;
  /**
   * Stores that several computers share: other processes render, and the data folder only has this
   * process's own files. Closed with the service.
   */
  readonly shared?: SharedStores | undefined;
  /** Finished videos and uploaded images. Default: the data folder. */
  readonly blobs?: Blobs;
  /** How long finished videos are kept, in milliseconds. Default: 30 days. */
  readonly retentionMs?: number;
  /** Default: `DEFAULT_HASHING`. */
  readonly passwordHashing?: HashParameters | undefined;
}

export interface SharedStores extends Stores {
  readonly monitor: RenderMonitor;
  /** Called when shutdown begins: from then on, a database that does not respond is abandoned. */
  prepareClose(): void;
  close(): Promise<void>;
}

export interface RunningService {
  readonly url: string;
  /** The origin of the studio's pages. Where it is not `url`, only this user may know it. */
  readonly studioUrl: string;
  /** The certificate that clients pin; `undefined` behind a proxy, which has its own. */
  readonly caFile: string | undefined;
  /** Changes how many videos are rendered at a time; those that are being rendered finish. */
  renderAtOnce(count: number): void;
  /** Finishes running requests, requeues videos that are being rendered, and stops. */
  close(): Promise<void>;
}

/** Of those who listen on these, browsers of this computer reach the studio by its own name. */
const STUDIO_HOSTS = new Set(['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::']);

/**
 * Where a service with a studio also listens: browsers try ::1 and 127.0.0.1 for a name below
 * `localhost`, so another user must have neither. `::` includes both.
 */
const OTHER_LOOPBACK = new Map([
  ['127.0.0.1', '::1'],
  ['0.0.0.0', '::1'],
  ['::1', '127.0.0.1'],
]);

/** Milliseconds for running requests to finish after the service is asked to stop. */
const SHUTDOWN_GRACE_MS = 5_000;

/** Creates all parts of the service and listens. Rejects when the data folder is in use. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { dataDir, timeoutMs = 0, clock, log, frames, workers, shared } = options;
  const after = options.after ?? systemAfter;
  using cleanup = new DisposableStack();
  cleanup.use(acquireServiceLock(dataDir, timeoutMs));
  const disk = new DiskSpace(dataDir);
  const stores = shared ?? cleanup.adopt(openOwnStores(options, disk), (opened) => opened.close());
  const { keys, videos } = stores;

  const certificate =
    options.behindProxy === undefined
      ? await obtainCertificate(dataDir, options.host, clock.now())
      : undefined;
  const videoFolder = path.join(dataDir, 'videos');
  const blobs = options.blobs ?? FolderBlobs.openOwn(videoFolder);
  const workFolder = path.join(videoFolder, WORK_FOLDER);
  const files = new VideoFiles(blobs, workFolder);
  const imageBlobs = options.blobs ?? FolderBlobs.openOwn(path.join(dataDir, 'images'));
  const images = new ImageStore(stores.images, imageBlobs, workFolder, disk);
  const links = new SignedUrls(stores.linkSecret, clock);
  const limits = new RateLimits(stores.counters, options.limits);
  // Not started when other processes render.
  const ownQueue = createQueue(options, { jobs: stores.jobs, files, disk, images, after });
  const queue = shared?.monitor ?? ownQueue;
  const retention = new RetentionSweep({
    videos,
    files,
    after,
    onFailure: (err, id) => log.error({ err, video: id }, 'an expired video was not deleted'),
  });

  const hasStudioHost = options.behindProxy === undefined && STUDIO_HOSTS.has(options.host);
  const ownStudioHost = hasStudioHost ? studioHost(dataDir) : undefined;
  let url = '';
  const app = await createApp({
    clock,
    keys,
    limits,
    videos,
    files,
    links,
    queue,
    frames,
    images,
    disk,
    studio: studioPartsOf({
      stores,
      clock,
      limits,
      files,
      queue,
      links,
      images,
      passwordHashing: options.passwordHashing,
    }),
    log,
    createServer: (handler) => createHttpServer(handler, certificate, { after }),
    trustedProxies: options.behindProxy,
    ownOrigin: () => url,
    ownHost: options.behindProxy === undefined ? options.host : undefined,
    studioHost: ownStudioHost,
  });
  await app.ready();
  // Before the service listens, so that videos of the last run are not confused with new ones.
  if (!shared) await ownQueue.recover();

  const listener = new HttpsListener(app.server, certificate ? 'tls' : 'plain-http');
  // The name may stand for either address.
  const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
  const secondHost = ownStudioHost === undefined ? undefined : OTHER_LOOPBACK.get(host);
  const { port } = await listener.listen(host, options.port, secondHost);
  url = `${certificate ? 'https' : 'http'}://${urlHost(options.host)}:${port}`;
  if (certificate) {
    const onFailure = (err: unknown): void => log.error({ err }, 'the certificate was not renewed');
    const { host } = options;
    cleanup.use(keepCertificateFresh(app.server, certificate, { dataDir, host, clock, onFailure }));
  }
  if (!shared) ownQueue.wake();
  retention.start();
  log.info({ url, workers }, 'serving');

  const resources = cleanup.move();
  return {
    url,
    studioUrl: ownStudioHost === undefined ? url : `https://${ownStudioHost}:${port}`,
    caFile: certificate?.caFile,
    renderAtOnce: (count) => ownQueue.setWorkers(count),
    close: async () => {
      shared?.prepareClose();
      await Promise.all([
        listener.close(SHUTDOWN_GRACE_MS),
        ownQueue.close(),
        frames.close(),
        retention.close(),
      ]);
      await app.close();
      await shared?.close();
      resources.dispose();
      log.info('stopped');
    },
  };
}

function openOwnStores(
  options: ServiceOptions,
  disk: DiskSpace,
): ReturnType<typeof openSqliteStores> {
  const { dataDir, clock, window, retentionMs, log } = options;
  const onCountersFailure = (err: unknown): void =>
    log.error({ err }, 'counters could not be written');
  return openSqliteStores({ dataDir, clock, disk, window, retentionMs, onCountersFailure });
}

function createQueue(
  { renderer, workers, log }: ServiceOptions,
  parts: Pick<RenderQueueOptions, 'jobs' | 'files' | 'disk' | 'images' | 'after'>,
): RenderQueue {
  return new RenderQueue({
    ...parts,
    renderer,
    workers,
    onFailure: (err, id) => log.error({ err, video: id }, 'rendering failed'),
    onOutage: (outage) => {
      if (outage) log.error({ err: outage }, outage.message);
      else log.info('rendering again');
    },
  });
}

/** A host in URL notation; loopback for a service that listens on all addresses. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
