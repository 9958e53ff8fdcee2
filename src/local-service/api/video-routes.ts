import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
import type { Account } from '../accounts/account.ts';
import type { Awaitable } from '../awaitable.ts';
import { imageIssuesOf } from '../rendering/image-limits.ts';
import { costOf, type Storyboard } from '../rendering/storyboard.ts';
import { wholeSecond } from '../accounts/rate-window.ts';
import type { SignedUrls } from '../videos/signed-urls.ts';
import type { RenderMonitor } from '../videos/render-monitor.ts';
import type { VideoRepository } from '../videos/video-repository.ts';
import type { Video } from '../videos/video.ts';
import {
  diskFull,
  invalidRequest,
  invalidStoryboard,
  quotaExceeded,
  tooManyFailures,
  videoExpired,
  videoNotFound,
  videoNotReady,
} from './errors.ts';
import { accountOf } from './guard.ts';
import {
  downloadResponses,
  generateBody,
  generateResponses,
  statusResponses,
  videoParams,
} from './schemas.ts';
import type { WireDates } from './wire-dates.ts';

export interface VideoRouteParts {
  readonly videos: VideoRepository;
  readonly queue: RenderMonitor;
  readonly links: SignedUrls;
  readonly images: Images;
  readonly dates: WireDates;
}

/** Images that users uploaded in the studio. */
export interface Images {
  /** The pixels of an image; `undefined` if the account has no image with this id. */
  pixelsOf(account: Account, id: string): Awaitable<number | undefined>;
}

/** The three endpoints of service-api.md §4, to be mounted behind the key guard. */
export const videoRoutes: FastifyPluginCallbackZod<VideoRouteParts> = (app, parts, done) => {
  const { videos, queue, links, images, dates } = parts;
  const security = [{ apiKey: [] }];

  app.post(
    '/video/generate',
    {
      config: { endpoint: 'generate' },
      schema: {
        operationId: 'generateVideo',
        summary: 'Start the generation of a video',
        tags: ['videos'],
        security,
        body: generateBody,
        response: generateResponses,
      },
    },
    async (request) => {
      const account = accountOf(request);
      await requireImages(request.body, account, images);
      const accepted = await videos.accept(account, request.body, costOf(request.body).seconds);
      switch (accepted.kind) {
        case 'quota-exceeded':
          throw quotaExceeded(accepted.quota);
        case 'too-many-failures':
          request.rateLimitStatus = { remaining: 0, resetAt: wholeSecond(accepted.until) };
          throw tooManyFailures(request.rateLimitStatus);
        case 'disk-full':
          throw diskFull();
        case 'image-missing':
          // An image was deleted since the first check. The second check reports which one.
          await requireImages(request.body, account, images);
          throw invalidRequest('An image of the request was deleted while it was checked.');
        case 'accepted':
          queue.wake();
          return { success: true as const, id: accepted.id, status: 'queued' as const };
      }
    },
  );

  app.get(
    '/video/status/:id',
    {
      config: { endpoint: 'status' },
      schema: {
        operationId: 'getVideoStatus',
        summary: 'How far the generation of a video is',
        tags: ['videos'],
        security,
        params: videoParams,
        response: statusResponses,
      },
    },
    async (request) => {
      const video = await videos.find(accountOf(request), request.params.id);
      if (!video) throw videoNotFound();
      if (video.state === 'done' && videos.hasExpired(video)) throw videoExpired(video);
      const waitingFor = video.state === 'queued' ? await queue.waitingFor() : undefined;
      return {
        success: true as const,
        id: video.id,
        status: video.state,
        progress: await progressOf(video, queue),
        createdAt: dates.iso(video.createdAt),
        durationSeconds: video.durationSeconds,
        ...(video.state === 'queued' && {
          position: await videos.queuePosition(video.id),
          ...(waitingFor !== undefined && { waitingFor }),
        }),
        ...(video.state === 'failed' && { error: video.error }),
        ...('finishedAt' in video && { finishedAt: dates.iso(video.finishedAt) }),
        ...(video.state === 'done' && {
          keptUntil: dates.iso(video.expiresAt),
          posterUrl: request.serviceOrigin + links.toPoster(video.id).pathAndQuery,
        }),
      };
    },
  );

  app.get(
    '/video/download/:id',
    {
      config: { endpoint: 'download' },
      schema: {
        operationId: 'getVideoDownload',
        summary: 'An address from which a finished video can be fetched for one hour',
        tags: ['videos'],
        security,
        params: videoParams,
        response: downloadResponses,
      },
    },
    async (request) => {
      const video = await videos.find(accountOf(request), request.params.id);
      if (!video) throw videoNotFound();
      if (video.state !== 'done') throw videoNotReady(video.state);
      if (videos.hasExpired(video)) throw videoExpired(video);
      const link = links.toVideo(video.id);
      return {
        success: true as const,
        id: video.id,
        downloadUrl: request.serviceOrigin + link.pathAndQuery,
        expiresAt: dates.iso(link.expiresAt),
        bytes: video.bytes,
        sha256: video.sha256,
      };
    },
  );
  done();
};

/** Requires that a storyboard's images belong to the account and are small enough to be decoded. */
export async function requireImages(
  storyboard: Storyboard,
  account: Account,
  images: Images,
): Promise<void> {
  const issues = await imageIssuesOf(storyboard, (id) => images.pixelsOf(account, id));
  if (issues.length > 0) throw invalidStoryboard(issues);
}

function progressOf(video: Video, queue: RenderMonitor): Awaitable<number> {
  switch (video.state) {
    case 'queued':
    case 'failed':
      return 0;
    case 'rendering':
      return queue.progressOf(video.id);
    case 'done':
      return 1;
  }
}
