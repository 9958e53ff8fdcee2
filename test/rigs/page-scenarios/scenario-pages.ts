import { isDeepStrictEqual } from 'node:util';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
  ViewportSize,
} from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import type { ScenarioName } from './scenarios.ts';
import { ARE_USUAL, LATE_ENGINE, slowDown, STEP_DELAY } from './slow-pages.ts';
import { openScenarioServer, type ScenarioServer } from './scenario-server.ts';
import type {} from './scenario-page.ts';

const USUAL_VIEWPORT: ViewportSize = { width: 1280, height: 800 };

const USUAL: BrowserContextOptions = {
  viewport: USUAL_VIEWPORT,
  locale: 'en-GB',
  timezoneId: 'UTC',
};

/**
 * `--process-per-site`: starting a process costs as much as showing the page in it. The other
 * option caches compiled scripts from the first visit, whereas Chromium by default waits for a
 * second visit and for idle time: by then a test is over. 6 % less time for each page.
 */
const QUICK_PAGES = ['--process-per-site', '--v8-cache-options=bypassHeatCheck'];

/** The default one, and one for tests with other options: each keeps a process alive. */
const KEPT_CONTEXTS = 2;

/**
 * Methods of a page whose effect outlives its document: pages on which they were used are not
 * reused.
 */
const LASTING = ['addInitScript', 'route'] as const;

/** A context whose pages share one process of the browser. */
interface SharedContext {
  readonly context: BrowserContext;
  readonly options: BrowserContextOptions;
  /** An empty page that keeps the process alive between tests. */
  readonly anchor: Page;
  /** Further empty pages, for later tests. */
  readonly idle: Page[];
}

/**
 * A browser that shows scenarios.
 *
 * Pages with the same options share a browser context and a process, and later tests use their
 * documents again: the app is removed and mounted again, and stored data is deleted, because most of
 * the time that a new document takes is for loading and compiling the same scripts. So here, unlike
 * in a new window, the scripts of all views may be loaded already; `slow-computer.test.ts` is about
 * the time before. A test that changes more than the app's state gets a new document, and leaves
 * none.
 */
export class ScenarioPages {
  readonly #complaints: string[] = [];
  readonly #browser: Browser;
  readonly #stage: ScenarioServer;
  /** By their options, the most recently used one last. */
  readonly #shared = new Map<string, SharedContext>();
  /** Contexts that are not reused. */
  readonly #unfit = new Set<BrowserContext>();
  /** Pages of the running test. */
  readonly #pages = new Map<Page, SharedContext>();
  /** Pages that are not reused. */
  readonly #changed = new WeakSet<Page>();
  /** Idle pages whose document can show another scenario. */
  readonly #empty = new WeakSet<Page>();

  private constructor(browser: Browser, stage: ScenarioServer) {
    this.#browser = browser;
    this.#stage = stage;
  }

  static async open(): Promise<ScenarioPages> {
    const [browser, stage] = await Promise.all([
      launchBrowser(QUICK_PAGES, STEP_DELAY),
      openScenarioServer(),
    ]);
    return new ScenarioPages(browser, stage);
  }

  /**
   * Opens a scene, 1280 by 800 by default, and waits until it shows something.
   *
   * @param prepare called with the page before it has requested anything
   */
  async openScenario(
    scene: ScenarioName,
    { viewport, ...options }: BrowserContextOptions = {},
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<Page> {
    const page = await this.#pageWith({ ...USUAL, ...options });
    const size = viewport ?? USUAL_VIEWPORT;
    if (!isDeepStrictEqual(page.viewportSize(), size)) await page.setViewportSize(size);
    if (this.#empty.has(page) && prepare === undefined) {
      await page.evaluate((name) => window.stage.open(name), scene);
    } else {
      await prepare?.(page);
      await page.goto(this.#stage.address(scene) + LATE_ENGINE);
    }
    this.#empty.delete(page);
    await page.locator('footer').getByRole('button').first().waitFor();
    // The first view, which waits for the summary, and for its script.
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    return page;
  }

  /**
   * Takes every page back, so that tests share nothing. Returns what they complained of: errors, and
   * whatever their security policy refused.
   */
  async clear(): Promise<readonly string[]> {
    await Promise.all([...this.#pages].map(([page, shared]) => this.#takeBack(page, shared)));
    this.#pages.clear();
    for (const [key, { context }] of [...this.#shared].slice(0, -KEPT_CONTEXTS)) {
      this.#shared.delete(key);
      this.#unfit.add(context);
    }
    await Promise.all([...this.#unfit].map((context) => context.close()));
    this.#unfit.clear();
    for (const { anchor } of this.#shared.values()) {
      await anchor.evaluate(() => {
        localStorage.clear();
      });
    }
    return this.#complaints.splice(0);
  }

  async #pageWith(options: BrowserContextOptions): Promise<Page> {
    const key = JSON.stringify(options);
    const shared = this.#shared.get(key) ?? (await this.#share(options));
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    const page = shared.idle.pop() ?? (await this.#newPage(key, shared));
    this.#pages.set(page, shared);
    return page;
  }

  async #newPage(key: string, shared: SharedContext): Promise<Page> {
    const page = await shared.context.newPage();
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('console', (message) => {
      // The scenario page has no videos to play and no icon.
      const known = message.text().includes('404');
      if (message.type() === 'error' && !known) this.#complaints.push(message.text());
    });
    await slowDown(page);
    for (const name of LASTING) {
      const method = page[name].bind(page);
      Object.defineProperty(page, name, {
        get: () => {
          this.#changed.add(page);
          return method;
        },
      });
    }
    // A page's clock applies to its whole context and cannot be removed, so the context is not
    // reused.
    const { clock } = page;
    Object.defineProperty(page, 'clock', {
      get: () => {
        if (this.#shared.get(key) === shared) this.#shared.delete(key);
        this.#unfit.add(shared.context);
        return clock;
      },
    });
    return page;
  }

  /** Restores a page for a later test; closes it if that is impossible. */
  async #takeBack(page: Page, { context, options, idle }: SharedContext): Promise<void> {
    if (page.isClosed()) return;
    if (this.#changed.has(page) || this.#unfit.has(context)) {
      await page.close();
      return;
    }
    const { colours, isEmpty } = await page.evaluate(async () => ({
      colours: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
      isEmpty: await window.stage.close(),
    }));
    if (isEmpty && ARE_USUAL) this.#empty.add(page);
    // A test that failed may have left a button pressed, or dark colours. Without the move, the next
    // scenario would be hovered over where this one was clicked last.
    await page.mouse.up();
    await page.mouse.move(-1, -1);
    const { colorScheme = 'light' } = options;
    // Which would have everything drawn again, also where it changes nothing.
    if (colours !== colorScheme) await page.emulateMedia({ colorScheme });
    idle.push(page);
  }

  async #share(options: BrowserContextOptions): Promise<SharedContext> {
    const context = await this.#browser.newContext(options);
    const anchor = await context.newPage();
    await anchor.goto(this.#stage.nothing);
    return { context, options, anchor, idle: [] };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#stage.close();
  }
}

const READING = [
  'watch',
  'jobs.list',
  'jobs.ids',
  'jobs.show',
  'jobs.undoSteps',
  'jobs.describeRows',
  'jobs.planEdit',
  'activity.list',
  'activity.units',
  'activity.costs',
  'batches.list',
  'batches.result',
  'batches.notSaved',
  'quota.days',
  'settings.get',
  'profile.get',
  'files.planRename',
  'preview.frame',
  'preview.thumbnail',
];

/** Names of the calls that the page made to its engine, except for watching and reading. */
export async function commandsOf(page: Page): Promise<{ name: string; input: unknown }[]> {
  const calls = await page.evaluate(() => window.engine.calls);
  return calls.filter(({ name }) => !READING.includes(name));
}

/** Stops a page's clock: its timers run when a test says so. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
}

/**
 * Reconnects a page to its engine, and presses a button there. In one step: between two, the page
 * may reconnect automatically, and the button disappear.
 */
export async function reconnectAndPress(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    window.engine.connected = true;
    element.click();
  });
}
