import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
import type { Account } from '../accounts/account.ts';
import { costOf, type Storyboard } from '../rendering/storyboard.ts';
import type { Links } from '../videos/links.ts';
import type { RenderQueue } from '../videos/render-queue.ts';
import type { VideoStore } from '../videos/video-store.ts';
import type { Video } from '../videos/video.ts';
import { invalidStoryboard, quotaExceeded, videoNotFound, videoNotReady } from './errors.ts';
import { accountOf } from './guard.ts';
import {
  downloadResponses,
  type Fault,
  generateBody,
  generateResponses,
  statusResponses,
  videoParams,
} from './schemas.ts';
import type { WireDates } from './wire-dates.ts';

export interface VideoRouteParts {
  readonly videos: VideoStore;
  readonly queue: RenderQueue;
  readonly links: Links;
  readonly images: Images;
  readonly dates: WireDates;
}

/** The images that owners uploaded in the studio. */
export interface Images {
  owns(account: Account, id: string): boolean;
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
    (request) => {
      const faults = unknownImages(request.body, (id) => images.owns(accountOf(request), id));
      if (faults.length > 0) throw invalidStoryboard(faults);
      const accepted = videos.accept(
        accountOf(request),
        request.body,
        costOf(request.body).seconds,
      );
      switch (accepted.kind) {
        case 'quota-exceeded':
          throw quotaExceeded(accepted.standing);
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
    (request) => {
      const video = videos.find(accountOf(request), request.params.id);
      if (!video) throw videoNotFound();
      return {
        success: true as const,
        id: video.id,
        status: video.state,
        progress: progressOf(video, queue),
        createdAt: dates.iso(video.createdAt),
        durationSeconds: video.durationSeconds,
        ...(video.state === 'queued' && { position: videos.positionInLine(video.id) }),
        ...(video.state === 'failed' && { error: video.error }),
        ...('finishedAt' in video && { finishedAt: dates.iso(video.finishedAt) }),
        ...(video.state === 'done' && {
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
    (request) => {
      const video = videos.find(accountOf(request), request.params.id);
      if (!video) throw videoNotFound();
      if (video.state !== 'done') throw videoNotReady(video.state);
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

/** Images that the storyboard names but neither carries nor the account has uploaded. */
function unknownImages({ scenes }: Storyboard, isOwn: (id: string) => boolean): Fault[] {
  return scenes.flatMap((scene, index) =>
    scene.kind === 'image' && !scene.image.startsWith('data:') && !isOwn(scene.image)
      ? [{ path: `/scenes/${index}/image`, reason: 'is not an image of this account' }]
      : [],
  );
}

function progressOf(video: Video, queue: RenderQueue): number {
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
