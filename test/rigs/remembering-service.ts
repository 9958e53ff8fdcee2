import { hash } from 'node:crypto';
import { z } from 'zod';
import { serviceApiSchema, type ServiceApi } from '../../src/contract/service-profile.ts';
import type { Profile } from '../../src/engine/profiles/profile.ts';
import { usualRules } from '../../src/engine/service/vocabularies.ts';
import type { SeededRandom } from './seeded-random.ts';

const MINUTE = 60_000;

export const serviceTraitsSchema = z.object({
  hasKeys: z.boolean(),
  hasList: z.boolean(),
  /** Whether items of the list contain their creation time. */
  tellsTimes: z.boolean(),
  /** How much later than its acceptance a video is listed. */
  listLagMs: z.number(),
  pageSize: z.number(),
  /** How long it takes to accept a request. */
  acceptMs: z.number(),
  keyLifeMs: z.number(),
});

export type ServiceTraits = z.infer<typeof serviceTraitsSchema>;

export interface RememberedVideo {
  readonly id: string;
  readonly title: string;
  /** The request's `metadata.ref`. */
  readonly ref: unknown;
  readonly madeAt: number;
  readonly isOurs: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** An idempotency key that was used. */
interface UsedKey {
  readonly at: number;
  readonly fingerprint: string;
  readonly answer: HttpAnswer;
}

/**
 * A service that accepts videos, and remembers requests by their idempotency key or lists its
 * videos. Written from documents, not from Spool's client: keys as in the IETF's draft
 * (draft-ietf-httpapi-idempotency-key-header-07, section 2.6: the first response again; 409 while
 * the first request is processed; 422 for a key with another body), lists as services have them:
 * newest first, in pages with a cursor, late, and with videos that others created with the account.
 */
export class RememberingService {
  readonly videos: RememberedVideo[] = [];
  readonly traits: ServiceTraits;
  /** The address of the files, which are named after the videos' ids. */
  filesUrl = 'https://files.example';
  readonly #now: () => number;
  readonly #random: SeededRandom;
  readonly #keys = new Map<string, UsedKey>();
  #lastOfOthersAt: number;

  constructor(traits: ServiceTraits, now: () => number, random: SeededRandom) {
    this.traits = traits;
    this.#now = now;
    this.#random = random;
    this.#lastOfOthersAt = now() - 300 * MINUTE;
  }

  /** How often a video of this title was accepted, and so paid for. */
  paidFor(title: string): number {
    return this.videos.filter((video) => video.isOurs && video.title === title).length;
  }

  generate(body: string, key: string | undefined): HttpAnswer {
    const fingerprint = hash('sha256', body);
    if (!this.traits.hasKeys) return this.#accept(body);
    if (key === undefined) return answer(400, { error: 'Idempotency-Key is missing' });
    const used = this.#keys.get(key);
    if (used && this.#now() - used.at < this.traits.keyLifeMs) {
      if (used.fingerprint !== fingerprint) return answer(422, { error: 'key used already' });
      const isInProgress = this.#now() - used.at < this.traits.acceptMs;
      return isInProgress ? answer(409, { error: 'request in progress' }) : used.answer;
    }
    const accepted = this.#accept(body);
    this.#keys.set(key, { at: this.#now(), fingerprint, answer: accepted });
    return accepted;
  }

  status(id: string): HttpAnswer {
    const video = this.videos.find((each) => each.id === id);
    if (!video) return answer(404, { error: 'no such video' });
    const isDone = this.#now() - video.madeAt >= MINUTE;
    const url = `${this.filesUrl}/${id}`;
    return answer(200, isDone ? { id, status: 'done', url } : { id, status: 'working' });
  }

  list(cursor: string | null): HttpAnswer {
    this.#addOthersVideos();
    if (!this.traits.hasList) return answer(404, { error: 'nothing here' });
    const listed = this.videos
      .filter(({ madeAt }) => this.#now() - madeAt >= this.traits.listLagMs)
      .toSorted((a, b) => b.madeAt - a.madeAt);
    const start = cursor === null ? 0 : listed.findIndex(({ id }) => id === cursor) + 1;
    const page = listed.slice(start, start + this.traits.pageSize);
    const hasMore = start + page.length < listed.length;
    return answer(200, {
      data: page.map(({ id, title, ref, madeAt }) => ({
        id,
        title,
        metadata: { ref },
        ...(this.traits.tellsTimes ? { created_at: Math.floor(madeAt / 1000) } : {}),
      })),
      next: hasMore ? page.at(-1)?.id : null,
    });
  }

  #accept(body: string): HttpAnswer {
    const { title, metadata } = JSON.parse(body) as {
      readonly title: string;
      readonly metadata?: { readonly ref?: unknown };
    };
    const id = `video-${this.videos.length + 1}`;
    const madeAt = this.#now();
    this.videos.push({ id, title, ref: metadata?.ref ?? null, madeAt, isOurs: true });
    return answer(201, { id, status: 'queued' });
  }

  /** Others create videos with the same account, some with our titles. */
  #addOthersVideos(): void {
    const refs = [null, '', 'ours', 7, {}, '00000000-0000-4000-8000-000000000000'];
    for (let at = this.#lastOfOthersAt; at < this.#now(); at += 20 * MINUTE) {
      const id = `video-${this.videos.length + 1}`;
      const title = `Row ${this.#random.integer(1, 10)}`;
      const ref = this.#random.pick(refs);
      this.videos.push({ id, title, ref, madeAt: at, isOurs: false });
      this.#lastOfOthersAt = at + 20 * MINUTE;
    }
  }
}

function answer(status: number, body: unknown): HttpAnswer {
  return { status, body: JSON.stringify(body) };
}

function apiOf({ hasKeys, hasList, tellsTimes, keyLifeMs }: ServiceTraits): ServiceApi {
  return serviceApiSchema.parse({
    generate: { path: '/v1/videos' },
    status: { path: '/v1/videos/{id}' },
    file: { kind: 'in-status' },
    limits: {
      windows: [
        { endpoint: 'generate', count: 100, perMs: 60_000 },
        { endpoint: 'status', count: 300, perMs: 60_000 },
      ],
      cap: { count: 500, per: 'month' },
    },
    once: {
      ...(hasKeys ? { idempotencyHeader: 'Idempotency-Key', keyLifeMs } : {}),
      ...(hasList
        ? {
            idField: 'metadata.ref',
            list: {
              path: '/v1/videos?order=desc',
              items: 'data',
              id: 'id',
              ours: 'metadata.ref',
              createdAt: tellsTimes ? 'created_at' : null,
              nextPage: { at: 'next', parameter: 'after' },
            },
          }
        : {}),
    },
  });
}

/** The profile of a service with these traits. */
export function profileOf(traits: ServiceTraits): Profile & { readonly api: ServiceApi } {
  return {
    name: 'Remembering',
    api: apiOf(traits),
    request: {
      title: 'title',
      columns: { title: { type: 'text', required: true } },
      preset: [],
      body: { title: '{{title}}' },
    },
    answers: { ...usualRules, link: { url: ['url'], expiresAt: [] } },
  };
}
