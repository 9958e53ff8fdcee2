import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { wholeSecond } from '../../accounts/rate-window.ts';
import type { BodyMemory } from '../../body-memory.ts';
import { imageIssuesOf } from '../../rendering/image-limits.ts';
import { costOf } from '../../rendering/storyboard.ts';
import type { SignedUrls } from '../../videos/signed-urls.ts';
import type { RenderMonitor } from '../../videos/render-monitor.ts';
import type { VideoFiles } from '../../videos/video-files.ts';
import type { TitledVideo } from '../../videos/video.ts';
import type { VideoRepository } from '../../videos/video-repository.ts';
import { applyAction, isAction } from '../drafts/draft-actions.ts';
import { type Draft, draftFrom, emptyDraft, checkDraft, sceneFieldName } from '../drafts/draft.ts';
import { type Form, readMultipart } from '../form-body.ts';
import type { Gallery } from '../gallery.ts';
import { isFormToken } from '../identity/form-token.ts';
import type { ImageStore } from '../../videos/image-store.ts';
import { draftPage, type DraftView } from '../pages/draft-page.ts';
import { galleryPage } from '../pages/gallery-page.ts';
import type { ShownVideo, VideoNow } from '../pages/shown-video.ts';
import { videoPage } from '../pages/video-page.ts';
import { PageError } from '../page-error.ts';
import { sendPage, pageSession, requestSession } from './session.ts';

export interface MakingParts {
  readonly gallery: Gallery;
  readonly videos: VideoRepository;
  readonly files: VideoFiles;
  readonly queue: RenderMonitor;
  readonly links: SignedUrls;
  readonly images: ImageStore;
  /** The memory of forms with pictures. */
  readonly uploads: BodyMemory;
}

/** A page of the gallery; the first one unless `page` is a valid number. */
const pageQuery = z.object({ page: z.coerce.number().int().min(1).catch(1) });

interface ReceivedDraft {
  readonly draft: Draft;
  readonly issues: Map<string, string>;
}

interface IdParams {
  readonly id: string;
}

const IMAGE_MISSING = 'A picture was deleted meanwhile. Choose it again.';
const TOO_MANY_FAILURES =
  'Too many of your videos failed in the last 24 hours. Change what made them fail, and try again later.';
const DISK_FULL = 'The disk of the service is full. Try again later.';

/**
 * The studio: creates videos, and plays them. It shares the quota with the API (service-api.md §8.3
 * rule 1) but not its rate limits, which apply to the API's endpoints only (§8.1).
 */
export const makingRoutes: FastifyPluginCallback<MakingParts> = (app, parts, done) => {
  const { gallery, videos, files, queue, links, images, uploads } = parts;

  app.get('/studio', async (request, reply) => {
    const { account } = requestSession(request);
    const { page: asked } = pageQuery.parse(request.query);
    const { videos: found, page, pages } = await gallery.page(account, asked);
    const shown = { videos: await Promise.all(found.map(show)), page, pages };
    const quota = await gallery.quota(account);
    return sendPage(reply, galleryPage(pageSession(request), quota, shown));
  });

  app.get('/studio/new', (request, reply) =>
    sendDraft(request, reply, { draft: emptyDraft, issues: new Map() }),
  );

  app.post('/studio/new', async (request, reply) => {
    const { account } = requestSession(request);
    const { draft, issues: refused, action } = await receiveDraft(request);
    if (!isAction(action)) throw PageError.unknownAction();

    const changed = applyAction(draft, action);
    if (changed) return sendDraft(request, reply, { ...changed, issues: new Map() });
    const check = checkDraft(draft);
    if (check.kind === 'invalid' || refused.size > 0) {
      const found = check.kind === 'invalid' ? check.issues : new Map<string, string>();
      return sendDraft(request, reply, { draft, issues: new Map([...found, ...refused]) }, 422);
    }
    const { storyboard } = check;
    const imageIssues = await imageIssuesOf(storyboard, (id) => images.pixelsOf(account, id));
    if (imageIssues.length > 0) {
      const found = imageIssues.map(({ reason }) => `Scenes ${reason}.`).join(' ');
      return sendDraft(request, reply, { draft, issues: new Map([['scenes', found]]) }, 422);
    }
    const accepted = await videos.accept(account, storyboard, costOf(storyboard).seconds);
    switch (accepted.kind) {
      case 'quota-exceeded':
        return sendDraft(request, reply, { draft, issues: new Map() }, 403);
      case 'too-many-failures': {
        request.rateLimitStatus = { remaining: 0, resetAt: wholeSecond(accepted.until) };
        const issues = new Map([['scenes', TOO_MANY_FAILURES]]);
        return sendDraft(request, reply, { draft, issues }, 429);
      }
      case 'disk-full':
        return sendDraft(request, reply, { draft, issues: new Map([['scenes', DISK_FULL]]) }, 503);
      case 'image-missing':
        return sendDraft(
          request,
          reply,
          { draft, issues: new Map([['scenes', IMAGE_MISSING]]) },
          422,
        );
      case 'accepted':
        queue.wake();
        return reply.redirect(`/studio/videos/${accepted.id}`, 303);
    }
  });

  app.get<{ Params: IdParams }>('/studio/videos/:id', async (request, reply) => {
    const found = await gallery.find(requestSession(request).account, request.params.id);
    if (!found) throw PageError.notFound();
    return sendPage(reply, videoPage(pageSession(request), await show(found)));
  });

  app.get<{ Params: IdParams }>('/studio/videos/:id/file', async (request, reply) => {
    const found = await gallery.find(requestSession(request).account, request.params.id);
    const done = found?.video.state === 'done' ? found.video : undefined;
    if (done && videos.hasExpired(done)) throw PageError.deleted();
    const file =
      done &&
      (await files.open(
        { id: done.id, kind: 'video', attempt: done.attempt },
        { expected: { size: done.bytes, sha256: done.sha256 } },
      ));
    if (!found || !done || !file) throw PageError.notFound();
    reply.headers({
      'content-length': done.bytes,
      'content-disposition': `attachment; filename*=UTF-8''${fileNameFor(found.title)}`,
    });
    return reply.type('video/mp4').send(file.content);
  });

  app.get<{ Params: IdParams }>('/studio/images/:id', async (request, reply) => {
    const image = await images.read(requestSession(request).account, request.params.id);
    if (!image) throw PageError.notFound();
    reply.header('cache-control', 'private, max-age=86400, immutable');
    return reply.type(`image/${image.kind}`).send(image.bytes);
  });
  done();

  async function sendDraft(
    request: FastifyRequest,
    reply: FastifyReply,
    view: Omit<DraftView, 'quota'>,
    statusCode = 200,
  ): Promise<FastifyReply> {
    const quota = await gallery.quota(requestSession(request).account);
    return sendPage(reply, draftPage(pageSession(request), { ...view, quota }), statusCode);
  }

  async function receiveDraft(
    request: FastifyRequest,
  ): Promise<ReceivedDraft & { readonly action: string | undefined }> {
    const { account, secret } = requestSession(request);
    if (!request.isMultipart()) throw PageError.foreignForm();
    using body = uploads.begin(account.id);
    const form = await readMultipart(request, (token) => isFormToken(token, secret), body);
    return { ...(await withPictures(account, form)), action: form.fields.get('action') };
  }

  /** The draft of a form with its uploaded pictures stored, and the errors of those refused. */
  async function withPictures(account: Account, form: Form): Promise<ReceivedDraft> {
    const typed = draftFrom(form.fields);
    const issues = new Map<string, string>();
    const scenes = await Promise.all(
      typed.scenes.map(async (scene, index) => {
        if (scene.kind !== 'image') return scene;
        const withImage = (image: string): typeof scene => ({
          ...scene,
          values: { ...scene.values, image },
        });
        const before = scene.values.image ?? '';
        const known = (await images.owns(account, before)) ? before : '';
        const chosen = form.files.get(sceneFieldName(index, 'file'));
        if (!chosen) return withImage(known);
        const added = await images.add(account, chosen);
        switch (added.kind) {
          case 'added':
            return withImage(added.id);
          case 'refused':
            issues.set(
              sceneFieldName(index, 'image'),
              `Scene ${index + 1}: The file ${added.reason}.`,
            );
            return withImage(known);
        }
      }),
    );
    return { draft: { ...typed, scenes }, issues };
  }

  async function show({ title, video }: TitledVideo): Promise<ShownVideo> {
    const { id, createdAt, durationSeconds } = video;
    const now = async (): Promise<VideoNow> => {
      switch (video.state) {
        case 'queued':
          return {
            state: 'queued',
            position: await videos.queuePosition(id),
            waitingFor: await queue.waitingFor(),
          };
        case 'rendering':
          return { state: 'rendering', progress: await queue.progressOf(id) };
        case 'failed':
          return { state: 'failed', error: video.error };
        case 'done':
          if (videos.hasExpired(video)) return { state: 'deleted', deletedAt: video.expiresAt };
          return {
            state: 'done',
            posterUrl: links.toPoster(id).pathAndQuery,
            videoUrl: links.toVideo(id).pathAndQuery,
            bytes: video.bytes,
            keptUntil: video.expiresAt,
          };
      }
    };
    return { id, title, createdAt, durationSeconds, now: await now() };
  }
};

/**
 * A video's file name, encoded as in RFC 8187. Browsers replace characters that files cannot have.
 */
function fileNameFor(title: string): string {
  const encode = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${encodeURIComponent(title.toWellFormed()).replace(/['()*]/g, encode)}.mp4`;
}
