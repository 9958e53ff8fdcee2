import { readFileSync } from 'node:fs';
import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents } from 'electron';
import type { CDPSession, Page, Route } from 'playwright-core';
import { z } from 'zod';
import type { Journal } from './journal.ts';
import { BINDING, DELIVER, FILE_MARK, FILES, preloadWorld } from './preload-world.ts';
import type { StandInApp } from './stand-in-app.ts';
import { toApp, toChromium, type StandInSession } from './stand-in-session.ts';
import { KnownEvents } from './strict.ts';

const WORLD = 'preload';

const sentSchema = z.union([
  z.object({
    kind: z.literal('message'),
    channel: z.string(),
    text: z.string().nullable(),
    ports: z.array(z.int()),
  }),
  z.object({ kind: z.literal('port'), id: z.int(), text: z.string() }),
  z.object({
    kind: z.literal('port'),
    id: z.int(),
    /** In base64. */
    bytes: z.string(),
    type: z.enum(['buffer', 'array']),
  }),
  z.object({
    kind: z.literal('context-menu'),
    params: z.object({ isEditable: z.boolean(), selectionText: z.string() }),
  }),
]);

/** Chromium's description of a position in the page, unless a test gives another. */
const NO_CONTEXT = {
  misspelledWord: '',
  dictionarySuggestions: [],
  editFlags: {
    canUndo: false,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: true,
    canDelete: true,
    canSelectAll: true,
  },
};

/** Parts that windows share. */
export interface WindowParts {
  readonly app: StandInApp;
  readonly session: StandInSession;
  readonly ipcMain: KnownEvents;
  readonly journal: Journal;
  /** A page that belongs to no window yet. */
  readonly newPage: () => Promise<Page>;
}

function bytesOf({ bytes, type }: { bytes: string; type: 'buffer' | 'array' }): PortData {
  const array = Uint8Array.from(Buffer.from(bytes, 'base64'));
  return type === 'array' ? array : array.buffer;
}

/** What a port carries from the page. */
type PortData = string | ArrayBuffer | Uint8Array;

/** The main process's end of a port; the other one is in the page. */
class PortInMain extends KnownEvents {
  readonly #deliver: (text: string) => void;
  readonly #early: PortData[] = [];
  #started = false;

  constructor(deliver: (text: string) => void) {
    super('MessagePortMain', ['message', 'close']);
    this.#deliver = deliver;
  }

  start(): void {
    this.#started = true;
    for (const data of this.#early.splice(0)) this.emit('message', { data, ports: [] });
  }

  postMessage(text: unknown): void {
    if (typeof text !== 'string') throw new Error('The stand-in for Electron carries text only.');
    this.#deliver(text);
  }

  received(data: PortData): void {
    if (this.#started) this.emit('message', { data, ports: [] });
    else this.#early.push(data);
  }
}

type UsedContents = Pick<
  WebContents,
  'setWindowOpenHandler' | 'startDrag' | 'reload' | 'replaceMisspelling'
>;

/** Electron's `webContents`: a page of Chromium, with a preload script in an isolated world. */
class StandInContents extends KnownEvents implements UsedContents {
  readonly mainFrame = { url: '' };
  readonly #parts: WindowParts;
  readonly #ports = new Map<number, PortInMain>();
  #page: Page | null = null;
  #isOwnNavigation = false;
  /** Reloads one after another: Chromium's protocol refuses one while another is in progress. */
  #reloaded: Promise<void> = Promise.resolve();
  #allowedWindows = 0;
  /** True while a message of the page is handled synchronously. */
  #isInTurn = false;
  #onWindowOpen: Parameters<WebContents['setWindowOpenHandler']>[0] | null = null;

  constructor(parts: WindowParts) {
    super('webContents', [
      'will-navigate',
      'will-attach-webview',
      'render-process-gone',
      'context-menu',
    ]);
    this.#parts = parts;
  }

  async open(page: Page, preload: string): Promise<void> {
    this.#page = page;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.enable');
    await devtools.send('Runtime.enable');
    await devtools.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
    devtools.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
      this.#received(payload, devtools, executionContextId);
    });
    await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
      source: preloadWorld(readFileSync(preload, 'utf8')),
      worldName: WORLD,
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.mainFrame.url = toApp(frame.url());
    });
    devtools.on('Page.windowOpen', ({ url }) => this.#askHandler(toApp(url)));
    page.on('popup', (popup) => this.#closeUnlessAllowed(popup));
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed' }));
    await page.route('**/*', (route) => this.#onRequest(route));
  }

  async load(address: string): Promise<void> {
    const { origin } = new URL(toChromium(address));
    await this.#parts.session.applyPermissions(this.#existing.context(), toApp(origin));
    this.#isOwnNavigation = true;
    await this.#existing.goto(toChromium(address));
  }

  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.#onWindowOpen = handler;
  }

  reload(): void {
    this.#parts.journal.note('reload');
    this.#reloaded = this.#reloaded.then(async () => {
      this.#isOwnNavigation = true;
      await this.#existing.reload();
      this.#parts.journal.note('reloaded');
    });
  }

  /** The pointer is moving: a drag that does not begin at once does not begin. */
  startDrag({ file, files, icon }: Parameters<WebContents['startDrag']>[0]): void {
    if (typeof icon === 'string' || icon.isEmpty()) {
      throw new TypeError("Must specify non-empty 'icon' option");
    }
    this.#parts.journal.note(this.#isInTurn ? 'drag' : 'drag-too-late', files ?? [file]);
  }

  replaceMisspelling(text: string): void {
    this.#parts.journal.note('replace-misspelling', text);
  }

  async closePage(): Promise<void> {
    await this.#page?.close();
  }

  get #existing(): Page {
    if (!this.#page) throw new Error('The window’s page is not there yet.');
    return this.#page;
  }

  #received(payload: string, devtools: CDPSession, contextId: number): void {
    const sent = sentSchema.parse(JSON.parse(payload));
    this.#isInTurn = true;
    setImmediate(() => (this.#isInTurn = false));
    if (sent.kind === 'context-menu') {
      // Electron shows no menu unless the app does.
      this.emit('context-menu', {}, { ...NO_CONTEXT, ...sent.params });
      return;
    }
    if (sent.kind === 'port') {
      this.#ports.get(sent.id)?.received('text' in sent ? sent.text : bytesOf(sent));
      return;
    }
    const ports = sent.ports.map((id) => {
      const port = new PortInMain((text) => {
        const expression = `${DELIVER}(${id}, ${JSON.stringify(text)})`;
        // A page that has closed receives nothing, as with a real port.
        devtools.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined);
      });
      this.#ports.set(id, port);
      return port;
    });
    const event = { sender: this, senderFrame: this.mainFrame, ports };
    if (sent.text?.includes(FILE_MARK) === true) {
      void withPaths(sent.text, devtools, contextId).then((text) =>
        this.#parts.ipcMain.emit(sent.channel, event, text),
      );
    } else this.#parts.ipcMain.emit(sent.channel, event, sent.text);
  }

  async #onRequest(route: Route): Promise<void> {
    const request = route.request();
    const isOwn = this.#isOwnNavigation;
    if (request.isNavigationRequest() && request.frame() === this.#existing.mainFrame()) {
      this.#isOwnNavigation = false;
      const url = toApp(request.url());
      if (!isOwn && this.isPrevented('will-navigate', { url })) return route.abort('aborted');
    }
    return this.#parts.session.serve(route);
  }

  #askHandler(url: string): void {
    const answer = this.#onWindowOpen?.({ url } as never) ?? { action: 'allow' };
    if (answer.action === 'allow') this.#allowedWindows += 1;
  }

  /** Chromium has opened it already when this check runs. */
  #closeUnlessAllowed(popup: Page): void {
    if (this.#allowedWindows === 0) void popup.close();
    else this.#allowedWindows -= 1;
  }
}

type UsedWindow = Pick<
  BrowserWindow,
  | ('loadURL' | 'show' | 'hide' | 'focus' | 'restore' | 'maximize')
  | ('isFullScreen' | 'isDestroyed')
  | ('isVisible' | 'isMinimized' | 'isMaximized' | 'getNormalBounds' | 'setProgressBar')
>;

/** Puts the paths of files into JSON; a file that a script has made has none. */
async function withPaths(text: string, devtools: CDPSession, contextId: number): Promise<string> {
  const pieces = text.split(FILE_MARK);
  const filled = pieces.map(async (piece, index) => {
    if (index % 2 === 0) return piece;
    const expression = `${FILES}[${piece}]`;
    const { result } = await devtools.send('Runtime.evaluate', { expression, contextId });
    const { objectId = '' } = result;
    const { path } = await devtools.send('DOM.getFileInfo', { objectId });
    return JSON.stringify(path).slice(1, -1);
  });
  return (await Promise.all(filled)).join('');
}

/** Electron's `BrowserWindow`: a page, and the state of its window. */
export class StandInWindow extends KnownEvents implements UsedWindow {
  readonly webContents: StandInContents;
  readonly #parts: WindowParts;
  readonly #opened: Promise<void>;
  readonly #bounds: { x: number; y: number; width: number; height: number };
  #visible: boolean;
  #maximized = false;
  #closed = false;

  constructor(parts: WindowParts, options: BrowserWindowConstructorOptions) {
    super('BrowserWindow', [
      'ready-to-show',
      'close',
      'closed',
      'leave-full-screen',
      'query-session-end',
      'session-end',
    ]);
    const { preload, sandbox, contextIsolation, nodeIntegration } = options.webPreferences ?? {};
    if (!preload || !sandbox || !contextIsolation || nodeIntegration) {
      throw new Error('The stand-in for Electron opens sandboxed, isolated pages only.');
    }
    const { x = 100, y = 100, width = 800, height = 600, show = true } = options;
    this.#bounds = { x, y, width, height };
    this.#visible = show;
    this.#parts = parts;
    this.webContents = new StandInContents(parts);
    this.#opened = this.#open(preload);
    parts.app.windows.add(this);
  }

  async loadURL(address: string): Promise<void> {
    await this.#opened;
    await this.webContents.load(address);
    if (!this.#closed) this.emit('ready-to-show');
  }

  show(): void {
    this.#visible = true;
  }

  hide(): void {
    this.#visible = false;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  focus(): void {
    this.#parts.journal.note('focus');
  }

  restore(): void {
    this.#visible = true;
  }

  isFullScreen(): boolean {
    return false;
  }

  isDestroyed(): boolean {
    return this.#closed;
  }

  isMinimized(): boolean {
    return false;
  }

  maximize(): void {
    this.#maximized = true;
  }

  isMaximized(): boolean {
    return this.#maximized;
  }

  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return this.#bounds;
  }

  setProgressBar(progress: number, { mode = 'normal' }: { mode?: string } = {}): void {
    this.#parts.journal.note('progress', progress, mode);
  }

  close(): boolean {
    if (this.#closed) return true;
    if (this.isPrevented('close')) return false;
    this.#closed = true;
    this.emit('closed');
    void this.webContents.closePage();
    this.#parts.app.windowClosed(this);
    return true;
  }

  async #open(preload: string): Promise<void> {
    const page = await this.#parts.newPage();
    const { width, height } = this.#bounds;
    await page.setViewportSize({ width, height });
    await this.webContents.open(page, preload);
  }
}
