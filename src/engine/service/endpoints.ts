import { serviceIdOf } from '../../contract/service-id.ts';
import { isBaseAddress } from '../../contract/base-address.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import { ID_PLACEHOLDER } from '../../contract/service-address.ts';
import { addressIn, isAddressBelow, type Place } from './response-address.ts';
import { idFrom, valueAt } from './response-reader.ts';

/** The key must not be sent to this base address. */
export class BaseUrlError extends TypeError {
  readonly code = 'base-url-invalid';
}

interface UploadAddress {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
}

/** An identifier that no video has, for a request whose only purpose is its status (§5.7). */
const NO_VIDEO = 'key-check';

/**
 * The addresses of a service and the headers of its requests, from its profile. All paths begin at
 * the root of its origin. No I/O.
 */
export class Endpoints {
  readonly origin: string;
  readonly host: string;
  readonly keyCheck: string;
  readonly api: ServiceApi;
  readonly #basePath: string;

  /**
   * @throws {BaseUrlError} for an address that is not https, has more than an origin and a path, or
   *   is not the profile's
   */
  constructor(baseUrl: string, api: ServiceApi) {
    const base = parseBaseUrl(baseUrl);
    if (api.origin !== null && api.origin !== serviceIdOf(baseUrl)) {
      throw new BaseUrlError(`The profile is for ${api.origin}.`);
    }
    this.origin = base.origin;
    this.host = base.host;
    this.#basePath = base.pathname.replace(/\/+$/, '');
    this.api = api;
    this.keyCheck =
      api.keyCheck === null ? this.statusOfNone(NO_VIDEO) : this.#basePath + api.keyCheck.path;
  }

  /** Where files are sent, and the key with them; `null` if the service takes none. */
  get uploads(): UploadAddress | null {
    const { upload } = this.api;
    if (upload === null) return null;
    const { origin, path } = upload;
    return origin === null
      ? { origin: this.origin, host: this.host, path: this.#basePath + path }
      : { origin, host: new URL(origin).host, path };
  }

  /** Where a request is sent, which may depend on its properties. */
  generate(body: string): string {
    const { path, pathBy } = this.api.generate;
    const other =
      pathBy.length === 0 ? undefined : pathBy.find(({ property }) => hasProperty(body, property));
    return this.#basePath + (other?.path ?? path);
  }

  /** Path of the status of a video that does not exist. */
  statusOfNone(id: string): string {
    const { status } = this.api;
    return 'path' in status
      ? this.#filled(status.path, id)
      : `${this.#basePath}${status.under}${id}`;
  }

  /** `null` for an identifier that would lead elsewhere. */
  status(remoteId: string): string | null {
    const { status } = this.api;
    if ('path' in status) return this.#withId(status.path, remoteId);
    const place = this.#placeOf(status);
    if (remoteId.startsWith('/')) return isAddressBelow(remoteId, place) ? remoteId : null;
    return isUsableId(remoteId) ? place.prefix + encodeURIComponent(remoteId.toWellFormed()) : null;
  }

  /**
   * A page of the list of recent videos; `null` if there is no list.
   * @param cursor of the page, from the one before; `null` for the first
   */
  list(cursor: string | null): string | null {
    const { list } = this.api.once;
    if (list === null) return null;
    const path = this.#basePath + list.path;
    if (cursor === null || list.nextPage === null) return path;
    const mark = list.path.includes('?') ? '&' : '?';
    return `${path}${mark}${list.nextPage.parameter}=${encodeURIComponent(cursor.toWellFormed())}`;
  }

  /** The identifier of a listed video; `null` for one that would lead elsewhere, or none. */
  listedId(item: unknown): string | null {
    const { status, once } = this.api;
    if (once.list === null) return null;
    if (!('path' in status)) return addressIn(item, once.list.id, this.#placeOf(status));
    const id = idFrom(valueAt(item, once.list.id));
    return id !== null && this.status(id) !== null ? id : null;
  }

  /** Where a link is requested, or the file itself; `null` if only responses contain it. */
  file(remoteId: string): string | null {
    const { file } = this.api;
    return 'path' in file ? this.#withId(file.path, remoteId) : null;
  }

  /** `null` for an identifier that would lead elsewhere, or if nothing can be cancelled. */
  cancel(remoteId: string): string | null {
    const { cancel } = this.api;
    return cancel === null ? null : this.#withId(cancel.path, remoteId);
  }

  /** Where the account's balance is requested; `null` if the service does not report it. */
  get balance(): string | null {
    const { balance } = this.api.cost;
    return balance === null ? null : this.#basePath + balance.path;
  }

  /**
   * The identifier of a video whose status is at an address in the response: the address's path.
   * @returns `null` if it leads elsewhere or there is none, `undefined` if the identifier is used
   */
  statusAddressIn(json: unknown): string | null | undefined {
    const { status } = this.api;
    if ('path' in status) return undefined;
    return addressIn(json, status.addressAt, this.#placeOf(status));
  }

  /** The same for the file; an address of the origin, with the key. */
  fileAddressIn(json: unknown): string | null {
    const { file } = this.api;
    if (file.kind !== 'content-in-status') return null;
    const path = addressIn(json, file.addressAt, this.#placeOf(file), MAX_FILE_ADDRESS);
    return path === null ? null : this.origin + path;
  }

  /**
   * Whether the key belongs in a request for this address: it is that of a file of this service.
   */
  isContent({ origin, pathname, search }: URL): boolean {
    const { file } = this.api;
    if (origin !== this.origin) return false;
    const path = pathname + search;
    switch (file.kind) {
      case 'content-in-status':
        return isAddressBelow(path, this.#placeOf(file), MAX_FILE_ADDRESS);
      case 'content': {
        const [before = '', after = ''] = (this.#basePath + file.path).split(ID_PLACEHOLDER);
        const id = path.slice(before.length, path.length - after.length);
        const isWhole = path.length > before.length + after.length;
        return isWhole && path === before + id + after && !/[/?&#]/.test(id);
      }
      case 'link-endpoint':
      case 'in-status':
        return false;
    }
  }

  /**
   * Headers of every request to the service: the fixed ones, then the one with the key. The caller
   * checks the key's characters.
   */
  requestHeaders(key: string): Readonly<Record<string, string>> {
    const { header, scheme } = this.api.auth;
    return { ...this.api.headers, [header]: scheme === '' ? key : `${scheme} ${key}` };
  }

  #withId(path: string, id: string): string | null {
    return isUsableId(id) ? this.#filled(path, id) : null;
  }

  #filled(path: string, id: string): string {
    const encoded = encodeURIComponent(id.toWellFormed());
    return this.#basePath + path.replace(ID_PLACEHOLDER, () => encoded);
  }

  #placeOf({ under }: { readonly under: string }): Place {
    return { origin: this.origin, prefix: this.#basePath + under };
  }
}

/** The most characters of a path to a file, whose query may be a long signature. */
const MAX_FILE_ADDRESS = 8192;

/** URL parsers remove these two path segments, and encoding does not change them. */
function isUsableId(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..';
}

function hasProperty(body: string, property: string): boolean {
  const json: unknown = JSON.parse(body);
  return typeof json === 'object' && json !== null && Object.hasOwn(json, property);
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') {
    throw new BaseUrlError('The service’s address must begin with https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || !isBaseAddress(text)) {
    throw new BaseUrlError(
      'The service’s address may have a host, a port, a path and an environment, nothing else.',
    );
  }
  return url;
}
