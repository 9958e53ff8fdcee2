import path from 'node:path';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { defaultLimits } from '../../../src/local-service/accounts/rate-limits.ts';
import { systemClock } from '../../../src/local-service/clock.ts';
import { FramePreview } from '../../../src/local-service/rendering/frame-preview.ts';
import { RenderPool } from '../../../src/local-service/rendering/render-pool.ts';
import { type RunningService, startService } from '../../../src/local-service/server.ts';
import type { Renderer } from '../../../src/local-service/videos/renderer.ts';
import { QUICK_HASHING } from '../quick-hashing.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const PASSWORD = 'a lamp above the reel';

/** A real service, and browser sessions of visitors. */
export class StudioRig {
  /** Complaints of pages: errors, and violations of their security policy. */
  readonly complaints: string[] = [];
  readonly service: RunningService;
  readonly dataDir: string;
  readonly #browser: Browser;

  private constructor(browser: Browser, service: RunningService, dataDir: string) {
    this.#browser = browser;
    this.service = service;
    this.dataDir = dataDir;
  }

  /** @param renderer The real one when omitted. */
  static async start(browser: Browser, renderer?: Renderer): Promise<StudioRig> {
    const dataDir = temporaryFolder();
    const service = await startService({
      dataDir,
      host: '127.0.0.1',
      port: 0,
      window: 'fixed',
      limits: defaultLimits,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      renderer: renderer ?? new RenderPool({ workers: 1 }),
      frames: new FramePreview(),
      workers: 1,
      passwordHashing: QUICK_HASHING,
    });
    const rig = new StudioRig(browser, service, dataDir);
    onTestFinished(() => service.close());
    return rig;
  }

  /** A page in a separate browser context. */
  async visit(where: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'UTC',
      // The service's certificate is self-issued; this browser accepts it.
      ignoreHTTPSErrors: true,
      ...options,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      const refused = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !refused) this.complaints.push(message.text());
    });
    await page.goto(this.service.studioUrl + where);
    return page;
  }

  /** A visitor with a new account, in the studio. */
  async signUp(options: BrowserContextOptions = {}, email = 'ada@example.com'): Promise<Page> {
    const page = await this.visit('/sign-up', options);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Studio', level: 1 }).waitFor();
    return page;
  }

  fileOf(name: string): string {
    return path.join(this.dataDir, name);
  }
}
