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
import type { TitledVideo, Video } from '../../videos/video.ts';
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
  const { gallery, images } = parts;

  app.get('/studio', async (request, reply) => {
    const { account } = requestSession(request);
    const { page: asked } = pageQuery.parse(request.query);
    const { videos, page, pages } = await gallery.page(account, asked);
    const shown = await Promise.all(videos.map((video) => shownVideo(video, parts)));
    const quota = await gallery.quota(account);
    return sendPage(
      reply,
      galleryPage(pageSession(request), quota, { videos: shown, page, pages }),
    );
  });

  app.get('/studio/new', async (request, reply) =>
    sendDraft(request, reply, await gallery.quota(requestSession(request).account), {
      draft: emptyDraft,
    }),
  );

  app.post('/studio/new', async (request, reply) => {
    const { account } = requestSession(request);
    const outcome = await submitted(request, parts);
    if (typeof outcome === 'string') return reply.redirect(`/studio/videos/${outcome}`, 303);
    return sendDraft(request, reply, await gallery.quota(account), outcome);
  });

  app.get<{ Params: IdParams }>('/studio/videos/:id', async (request, reply) => {
    const found = await gallery.find(requestSession(request).account, request.params.id);
    if (!found) throw PageError.notFound();
    return sendPage(reply, videoPage(pageSession(request), await shownVideo(found, parts)));
  });

  app.get<{ Params: IdParams }>('/studio/videos/:id/file', async (request, reply) => {
    const found = await gallery.find(requestSession(request).account, request.params.id);
    return sendVideo(reply, found, parts);
  });

  app.get<{ Params: IdParams }>('/studio/images/:id', async (request, reply) => {
    const image = await images.read(requestSession(request).account, request.params.id);
    if (!image) throw PageError.notFound();
    reply.header('cache-control', 'private, max-age=86400, immutable');
    return reply.type(`image/${image.kind}`).send(image.bytes);
  });
  done();
};

/** A draft that is shown again, with the reason. */
interface ReturnedDraft extends Partial<Omit<DraftView, 'quota' | 'draft'>> {
  readonly draft: Draft;
  /** 200 by default. */
  readonly statusCode?: number;
}

function sendDraft(
  request: FastifyRequest,
  reply: FastifyReply,
  quota: DraftView['quota'],
  { statusCode = 200, ...view }: ReturnedDraft,
): FastifyReply {
  const shown = { issues: new Map<string, string>(), ...view, quota };
  return sendPage(reply, draftPage(pageSession(request), shown), statusCode);
}

/** What comes of a draft's form: the id of the accepted video, or the draft to show again. */
async function submitted(
  request: FastifyRequest,
  parts: MakingParts,
): Promise<string | ReturnedDraft> {
  const { videos, queue, images } = parts;
  const { account } = requestSession(request);
  const { draft, issues: refused, action } = await receiveDraft(request, parts);
  if (!isAction(action)) throw PageError.unknownAction();

  const changed = applyAction(draft, action);
  if (changed) return changed;
  const check = checkDraft(draft);
  if (check.kind === 'invalid' || refused.size > 0) {
    const found = check.kind === 'invalid' ? check.issues : [];
    return { draft, issues: new Map([...found, ...refused]), statusCode: 422 };
  }
  const withIssue = (statusCode: number, issue: string): ReturnedDraft => {
    return { draft, issues: new Map([['scenes', issue]]), statusCode };
  };
  const { storyboard } = check;
  const imageIssues = await imageIssuesOf(storyboard, (id) => images.pixelsOf(account, id));
  if (imageIssues.length > 0)
    return withIssue(422, imageIssues.map(({ reason }) => `Scenes ${reason}.`).join(' '));
  const accepted = await videos.accept(account, storyboard, costOf(storyboard).seconds);
  switch (accepted.kind) {
    case 'quota-exceeded':
      return { draft, statusCode: 403 };
    case 'too-many-failures':
      request.rateLimitStatus = { remaining: 0, resetAt: wholeSecond(accepted.until) };
      return withIssue(429, TOO_MANY_FAILURES);
    case 'disk-full':
      return withIssue(503, DISK_FULL);
    case 'image-missing':
      return withIssue(422, IMAGE_MISSING);
    case 'accepted':
      queue.wake();
      return accepted.id;
  }
}

interface ReceivedDraft {
  readonly draft: Draft;
  /** Of the pictures that were refused. */
  readonly issues: ReadonlyMap<string, string>;
}

/** @throws {PageError} when the form is not of the studio */
async function receiveDraft(
  request: FastifyRequest,
  { images, uploads }: MakingParts,
): Promise<ReceivedDraft & { readonly action: string | undefined }> {
  const { account, secret } = requestSession(request);
  if (!request.isMultipart()) throw PageError.foreignForm();
  using body = uploads.begin(account.id);
  const form = await readMultipart(request, (token) => isFormToken(token, secret), body);
  return { ...(await withPictures(account, form, images)), action: form.fields.get('action') };
}

/** The draft of a form with its uploaded pictures stored, and the errors of those refused. */
async function withPictures(
  account: Account,
  form: Form,
  images: ImageStore,
): Promise<ReceivedDraft> {
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
      if (added.kind === 'added') return withImage(added.id);
      const reason = added.kind === 'refused' ? added.reason : 'is too large';
      const issue = `Scene ${index + 1}: The file ${reason}.`;
      issues.set(sceneFieldName(index, 'image'), issue);
      return withImage(known);
    }),
  );
  return { draft: { ...typed, scenes }, issues };
}

async function shownVideo(titled: TitledVideo, parts: MakingParts): Promise<ShownVideo> {
  const { id, createdAt, durationSeconds } = titled.video;
  const now = await videoNow(titled.video, parts);
  return { id, title: titled.title, createdAt, durationSeconds, now };
}

async function videoNow(video: Video, { videos, queue, links }: MakingParts): Promise<VideoNow> {
  const { id, state } = video;
  switch (state) {
    case 'queued':
      return {
        state,
        position: await videos.queuePosition(id),
        waitingFor: await queue.waitingFor(),
      };
    case 'rendering':
      return { state, progress: await queue.progressOf(id) };
    case 'failed':
      return { state, error: video.error };
    case 'done':
      if (videos.hasExpired(video)) return { state: 'deleted', deletedAt: video.expiresAt };
      return {
        state,
        posterUrl: links.toPoster(id).pathAndQuery,
        videoUrl: links.toVideo(id).pathAndQuery,
        bytes: video.bytes,
        keptUntil: video.expiresAt,
      };
  }
}

/** @throws {PageError} when there is no such file, or no longer */
async function sendVideo(
  reply: FastifyReply,
  found: TitledVideo | undefined,
  { videos, files }: MakingParts,
): Promise<FastifyReply> {
  if (found?.video.state !== 'done') throw PageError.notFound();
  const { title, video } = found;
  if (videos.hasExpired(video)) throw PageError.deleted();
  const { id, attempt, bytes, sha256 } = video;
  const expected = { size: bytes, sha256 };
  const file = await files.open({ id, kind: 'video', attempt }, { expected });
  if (!file) throw PageError.notFound();
  reply.headers({
    'content-length': bytes,
    'content-disposition': `attachment; filename*=UTF-8''${fileNameFor(title)}`,
  });
  return reply.type('video/mp4').send(file.content);
}

/**
 * A video's file name, encoded as in RFC 8187. Browsers replace characters that files cannot have.
 */
function fileNameFor(title: string): string {
  const encode = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${encodeURIComponent(title.toWellFormed()).replace(/['()*]/g, encode)}.mp4`;
}
