import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod';
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

/** Ten a second: a page draws one after another while its user types. */
const FRAME_LIMIT = { requests: 600, windowSeconds: 60 };
const WINDOW: WindowType = 'fixed';
/**
 * Of one account at the same time: the one that a page shows, and the one before, which it has just
 * given up. Half of the places (`FramePreview`), so that one account does not have all of them.
 */
const MAX_OF_AN_ACCOUNT = 2;

/**
 * `POST /local/frame`, to be mounted behind the key guard: one frame of the video that a body of
 * `POST /video/generate` would make. It costs no quota, stores nothing, and is no part of the
 * documented API: the app asks for it when this service runs on the same computer.
 */
export const frameRoutes: FastifyPluginCallbackZod<FrameRouteParts> = (app, parts, done) => {
  const { clock, frames, images } = parts;
  /** Of each account, in memory: nothing is lost when a restart forgets it. */
  const windows = new Map<number, WindowState>();
  /** How many frames of each account are being drawn, or wait for that. */
  const drawing = new Map<number, number>();

  app.post('/local/frame', { schema: { body: generateBody } }, async (request) => {
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

    const storyboard = request.body;
    await requireImages(storyboard, account, images);
    // Before images are copied from the store: those of hundreds of requests would fill disk and network.
    using _place = placeOf(account.id);
    await using local = await images.local(storyboard);
    const imagePath = (id: string): string | undefined => local.pathOf(id);
    try {
      const jpeg = await frames.draw({ storyboard, imagePath }, request.signal);
      const { width, height } = pictureSize(storyboard);
      const { seconds } = costOf(storyboard);
      return { success: true as const, width, height, seconds, jpeg: jpeg.toString('base64') };
    } catch (error) {
      if (error instanceof FramesBusyError) throw framesBusy();
      // The storyboard itself is why; the video would fail for the same reason.
      const isItsOwn = error instanceof ImageUnreadableError || error instanceof RenderLimitError;
      throw isItsOwn ? invalidRequest(error.message) : error;
    }
  });
  done();

  /** @throws {ApiError} when the account has its places */
  function placeOf(account: number): Disposable {
    const taken = drawing.get(account) ?? 0;
    if (taken >= MAX_OF_AN_ACCOUNT) throw framesBusy();
    drawing.set(account, taken + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (drawing.get(account) ?? 1) - 1;
        if (left > 0) drawing.set(account, left);
        else drawing.delete(account);
      },
    };
  }
};
