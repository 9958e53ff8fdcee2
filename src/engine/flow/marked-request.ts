import { hash } from 'node:crypto';
import { isRawNumber, parseForWriting } from '../../contract/json-text.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import type { Random } from '../clock.ts';
import type { AttemptMark } from '../jobs/attempt-mark.ts';

/** A request that contains our identifier, and what is stored of that. */
export interface MarkedRequest {
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  readonly mark: AttemptMark;
}

/** Whether requests to this service contain our identifier. */
export function hasOwnIds({ once }: ServiceApi): boolean {
  return once.idField !== null || once.idempotencyHeader !== null;
}

/** A random UUID (RFC 9562, version 4). It is not derived from anything that is sent or shown. */
export function newOwnId(random: Random): string {
  const words = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32));
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/**
 * The request with our identifier where the profile wants it. The same arguments always give the
 * same bytes.
 */
export function markedRequest(body: string, ownId: string, api: ServiceApi): MarkedRequest {
  const { idField, idempotencyHeader: header } = api.once;
  const withId = idField === null ? null : withOwnId(body, idField, ownId);
  const sent = withId ?? body;
  const compared = [api.generate, api.headers, header, sent];
  return {
    body: sent,
    idempotencyKey: header === null ? undefined : ownId,
    mark: {
      ownId,
      header,
      idField: withId === null ? null : idField,
      sha256: hash('sha256', JSON.stringify(compared)),
    },
  };
}

/**
 * The body with our identifier at a path. Missing objects on the path are created; `null` if the
 * path leads through another type.
 */
function withOwnId(body: string, path: string, ownId: string): string | null {
  const root = parseForWriting(body);
  const steps = path.match(/[^.[\]]+/g) ?? [];
  const last = steps.pop();
  let place = root;
  for (const step of steps) {
    if (!isContainer(place)) return null;
    if (!Object.hasOwn(place, step)) {
      if (Array.isArray(place)) return null;
      define(place, step, {});
    }
    place = place[step];
  }
  if (last === undefined || !isContainer(place)) return null;
  if (Array.isArray(place) && !Object.hasOwn(place, last)) return null;
  define(place, last, ownId);
  return JSON.stringify(root);
}

/** Also works for names that objects inherit, such as `__proto__`. */
function define(place: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(place, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}
