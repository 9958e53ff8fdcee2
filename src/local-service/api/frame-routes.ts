import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { type WindowState, type WindowType, consume } from '../accounts/rate-window.ts';
import type { Clock } from '../clock.ts';
import { FramesBusyError, type FrameSource } from '../rendering/frame-preview.ts';
import { ImageUnreadableError, RenderLimitError } from '../rendering/render-errors.ts';
import { costOf, pictureSize } from '../rendering/storyboard.ts';
import type { ImageSource } from '../videos/renderer.ts';
import { framesBusy, invalidRequest, rateLimited } from './errors.ts';
import { accountOf } from './guard.ts';
import { generateBody } from './schemas.ts';
import { requireImages, type Images } from './video-routes.ts';

export interface FrameRouteParts {
  readonly clock: Clock;
  readonly frames: FrameSource;
  readonly images: Images & ImageSource;
}

/** Ten a second: while its user types, a page draws one frame after another. */
const FRAME_LIMIT = { requests: 600, windowSeconds: 60 };
const WINDOW: WindowType = 'fixed';
/**
 * Concurrent frames of one account: the one that a page waits for, and an earlier one that it has
 * just cancelled. Half of what `FramePreview` allows, so that one account cannot use all of it.
 */
const MAX_FRAMES_PER_ACCOUNT = 2;

/** The request's size limits their length. */
const layoutsBody = z.strictObject({ storyboards: z.array(z.unknown()).max(50) });
const glyphsBody = z.strictObject({ texts: z.array(z.string()).max(1000) });

/**
 * `POST /local/frame`, to be mounted behind the key guard: draws one frame of the video that the
 * same body would generate with `POST /video/generate`. `POST /local/glyphs` finds the characters of
 * texts that no font of this computer can draw, `POST /local/layouts` the texts that would be hard
 * to read. They use no quota, store nothing, and are not part of the documented API: the app calls
 * them when this service runs on the same computer.
 */
export const frameRoutes: FastifyPluginCallbackZod<FrameRouteParts> = (app, parts, done) => {
  const { clock, frames, images } = parts;
  /** By account; in memory, because a restart may reset these counts. */
  const windows = new Map<number, WindowState>();
  /** By account: the number of frames that are waiting or being drawn. */
  const activeFrames = new Map<number, number>();

  app.post('/local/frame', { schema: { body: generateBody } }, async (request, reply) => {
    const account = limitedAccount(request);
    const storyboard = request.body;
    await requireImages(storyboard, account, images);
    return inSlot(account, reply, async (disconnected) => {
      await using local = await images.local(storyboard);
      const imagePath = (id: string): string | undefined => local.pathOf(id);
      const jpeg = await frames.draw({ storyboard, imagePath }, disconnected);
      const { width, height } = pictureSize(storyboard);
      const { seconds } = costOf(storyboard);
      return { width, height, seconds, jpeg: jpeg.toString('base64') };
    });
  });
  app.post('/local/glyphs', { schema: { body: glyphsBody } }, (request, reply) =>
    inSlot(limitedAccount(request), reply, async (disconnected) => {
      return { undrawable: await frames.findUndrawable(request.body.texts, disconnected) };
    }),
  );
  app.post('/local/layouts', { schema: { body: layoutsBody } }, (request, reply) =>
    inSlot(limitedAccount(request), reply, async (disconnected) => {
      // What generate would refuse has other errors.
      const parsed = request.body.storyboards.map((body) => generateBody.safeParse(body).data);
      const storyboards = parsed.flatMap((storyboard) => (storyboard ? [storyboard] : []));
      const found = await frames.checkLayouts(storyboards, disconnected);
      return { issues: parsed.map((storyboard) => (storyboard ? (found.shift() ?? []) : [])) };
    }),
  );
  done();

  /** @throws {ApiError} when the account has sent too many requests */
  function limitedAccount(request: FastifyRequest): Account {
    const account = accountOf(request);
    const { kind, state, status } = consume(
      WINDOW,
      windows.get(account.id),
      FRAME_LIMIT,
      clock.now(),
    );
    windows.set(account.id, state);
    request.rateLimitStatus = status;
    if (kind === 'refused') throw rateLimited(status);
    return account;
  }

  /**
   * Does work of the renderer for an account; resolves with `undefined` when its client has gone.
   *
   * @throws {ApiError} when the account has no free slot, or the storyboard cannot be drawn
   */
  async function inSlot<Result extends object>(
    account: Account,
    reply: FastifyReply,
    work: (disconnected: AbortSignal) => Promise<Result>,
  ): Promise<(Result & { readonly success: true }) | undefined> {
    const disconnected = disconnectSignalOf(reply);
    // Before images are copied from the store: hundreds of requests could fill disk and network.
    using _slot = reserveSlot(account.id);
    try {
      return { success: true, ...(await work(disconnected)) };
    } catch (error) {
      // There is no connection for a response.
      if (disconnected.aborted) {
        void reply.hijack();
        return undefined;
      }
      if (error instanceof FramesBusyError) throw framesBusy();
      // The storyboard causes these errors; its video would fail for the same reason.
      const isInvalid = error instanceof ImageUnreadableError || error instanceof RenderLimitError;
      throw isInvalid ? invalidRequest(error.message) : error;
    }
  }

  /** @throws {ApiError} when the account has no free slot */
  function reserveSlot(account: number): Disposable {
    const active = activeFrames.get(account) ?? 0;
    if (active >= MAX_FRAMES_PER_ACCOUNT) throw framesBusy();
    activeFrames.set(account, active + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (activeFrames.get(account) ?? 1) - 1;
        if (left > 0) activeFrames.set(account, left);
        else activeFrames.delete(account);
      },
    };
  }
};

/**
 * Aborted when the client disconnects before it has the response. Fastify's `request.signal` is
 * aborted when a request ends, and does not notice that if its body is already read.
 */
function disconnectSignalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}
