import type { Protocol, Session } from 'electron';
import type { BrowserContext, Route } from 'playwright-core';

type Answer = (request: Request) => Response | Promise<Response>;
type PermissionRequest = Parameters<Session['setPermissionRequestHandler']>[0];
type PermissionCheck = Parameters<Session['setPermissionCheckHandler']>[0];

/** Permissions that a page could request, by Chromium's and Electron's names. */
const PERMISSIONS = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  camera: 'media',
  microphone: 'media',
  midi: 'midi',
  'clipboard-read': 'clipboard-read',
  'clipboard-write': 'clipboard-sanitized-write',
};

/**
 * Chromium does not support custom schemes here, so the same addresses are mapped to a host that
 * does not exist.
 */
const HOST = '.app-scheme.invalid';

/** `spool-app://app/x` as Chromium sees it. */
export function toChromium(address: string): string {
  return address.replace(/^(spool-app):\/\/([^/]+)/, `https://$2.$1${HOST}`);
}

/** The app's form of an address. */
export function toApp(address: string): string {
  return address.replace(/^https:\/\/([^/]+)\.(spool-app)\.app-scheme\.invalid/, '$2://$1');
}

/** Electron's session: the responses for the app's own scheme, and the permissions of a page. */
export class StandInSession implements Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'resolveProxy'
> {
  readonly #privileged: ReadonlySet<string>;
  readonly #answers = new Map<string, Answer>();
  #request: PermissionRequest = null;
  #check: PermissionCheck = null;

  /** @param privileged schemes that were registered before the app was ready */
  constructor(privileged: ReadonlySet<string>) {
    this.#privileged = privileged;
  }

  readonly protocol: Pick<Protocol, 'handle'> = {
    handle: (scheme, handler) => {
      if (!this.#privileged.has(scheme)) throw new Error(`${scheme} has not been registered.`);
      this.#answers.set(scheme, handler);
    },
  };

  /** A computer without proxies. */
  resolveProxy(): Promise<string> {
    return Promise.resolve('DIRECT');
  }

  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.#check = handler;
  }

  /** Electron grants a page everything unless the app sets a handler. */
  async applyPermissions(context: BrowserContext, origin: string): Promise<void> {
    const granted = Object.entries(PERMISSIONS)
      .filter(([, permission]) => this.#grants(permission, origin))
      .map(([name]) => name);
    await context.grantPermissions(granted, { origin: toChromium(origin) });
  }

  #grants(permission: string, origin: string): boolean {
    const answers: boolean[] = [];
    const details = { isMainFrame: true, requestingUrl: origin };
    this.#request?.(null as never, permission as never, (answer) => answers.push(answer), details);
    const checked = this.#check?.(null, permission as never, origin, details) ?? true;
    return checked && !answers.includes(false);
  }

  /** Answers requests to the app's scheme; others continue to their destination. */
  async serve(route: Route): Promise<void> {
    const request = route.request();
    const address = toApp(request.url());
    const answer = this.#answers.get(new URL(address).protocol.slice(0, -1));
    if (!answer) return route.continue();
    const headers = await request.allHeaders();
    const response = await answer(new Request(address, { headers: withoutPseudo(headers) }));
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  }
}

function withoutPseudo(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}
