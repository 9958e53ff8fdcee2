/** Deletes videos that their user has saved, beside the documented API. */
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { hasQuota } from '../accounts/account.ts';
import type { VideoFiles } from '../videos/video-files.ts';
import type { VideoRepository } from '../videos/video-repository.ts';
import { videoIdPattern } from '../videos/video.ts';
import { invalidRequest, notFound, videoNotFound, videoNotReady } from './errors.ts';
import { accountOf } from './guard.ts';

export interface SavedRouteParts {
  readonly videos: VideoRepository;
  readonly files: VideoFiles;
}

const savedBody = z.strictObject({
  id: z.string().regex(videoIdPattern),
  /** Of the saved file, in hexadecimal. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
});

/**
 * `POST /local/saved`, to be mounted behind the key guard: deletes the files of a video that the app
 * has saved, so that the disk does not hold them twice. It is not part of the documented API, and
 * only for accounts without a quota: the others' videos are kept for the time that `keptUntil` says.
 * Repeating it changes nothing. After a kill in between, the video is reported as expired when its
 * retention time ends.
 */
export const savedRoutes: FastifyPluginCallbackZod<SavedRouteParts> = (app, parts, done) => {
  const { videos, files } = parts;

  app.post('/local/saved', { schema: { body: savedBody } }, async (request) => {
    const account = accountOf(request);
    if (hasQuota(account)) throw notFound();
    const { id, sha256 } = request.body;
    const video = await videos.find(account, id);
    if (!video) throw videoNotFound();
    if (video.state !== 'done') throw videoNotReady(video.state);
    if (video.sha256 !== sha256) throw invalidRequest('The saved file is not this video.');
    if (!video.filesRemoved) {
      await files.remove(id);
      await videos.markFilesRemoved([id]);
    }
    return { success: true as const };
  });
  done();
};
