import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Account, cycleAnchorOf } from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import type { Clock } from '../clock.ts';
import { type Video, videoRow } from '../videos/video.ts';
import type { QuotaStatus, VideoStore } from '../videos/video-store.ts';

/** A video together with what its storyboard calls it. */
export interface TitledVideo {
  readonly title: string;
  readonly video: Video;
}

/** The quota with videos that are still rendered counted separately (service-api.md §8.3). */
export interface QuotaParts {
  /** Finished in this cycle. */
  readonly made: number;
  /** Waiting or rendering: counted now, and given back if rendering fails. */
  readonly held: number;
  readonly left: number;
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly resetAt: number;
}

/** One page of what an account has made. Pages count from 1. */
export interface GalleryPage {
  readonly videos: readonly TitledVideo[];
  readonly page: number;
  readonly pages: number;
}

const VIDEOS_ON_A_PAGE = 48;

/** Empty for a storyboard that cannot be read, whose page is shown nevertheless. */
const TITLE = "iif(json_valid(storyboard), coalesce(storyboard ->> '$.title', ''), '')";
const titleRow = z.object({ title: z.string() });
const countRow = z.object({ count: z.int() });

/** What an account has made, through the API and in the studio alike. */
export class Gallery {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #videos: VideoStore;

  constructor(database: DatabaseSync, clock: Clock, videos: VideoStore) {
    this.#database = database;
    this.#clock = clock;
    this.#videos = videos;
  }

  /** The account's videos, the newest first. A page beyond the last one is the last one. */
  page(account: Account, asked: number): GalleryPage {
    const row = this.#database
      .prepare('SELECT count(*) AS count FROM video WHERE account_id = ?')
      .get(account.id);
    const pages = Math.max(1, Math.ceil(countRow.parse(row).count / VIDEOS_ON_A_PAGE));
    const page = Math.min(asked, pages);
    const videos = this.#database
      .prepare(
        `SELECT *, ${TITLE} AS title FROM video
         WHERE account_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?`,
      )
      .all(account.id, VIDEOS_ON_A_PAGE, (page - 1) * VIDEOS_ON_A_PAGE)
      .map(titledVideo);
    return { videos, page, pages };
  }

  /** One video; `undefined` alike for unknown identifiers and for other people's. */
  find(account: Account, id: string): TitledVideo | undefined {
    const row = this.#database
      .prepare(
        `SELECT *, ${TITLE} AS title FROM video
         WHERE account_id = ? AND id = ?`,
      )
      .get(account.id, id);
    return row && titledVideo(row);
  }

  quota(account: Account): QuotaParts {
    const rateLimitStatus: QuotaStatus = this.#videos.quotaStanding(account);
    const cycle = billingCycleAt(cycleAnchorOf(account), this.#clock.now());
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count FROM video WHERE account_id = ? AND created_at >= ?
         AND created_at < ? AND state IN ('queued', 'rendering')`,
      )
      .get(account.id, cycle.startsAt, cycle.endsAt);
    const held = countRow.parse(row).count;
    return {
      made: rateLimitStatus.used - held,
      held,
      left: Math.max(0, rateLimitStatus.limit - rateLimitStatus.used),
      limit: rateLimitStatus.limit,
      resetAt: rateLimitStatus.resetAt,
    };
  }
}

function titledVideo(row: unknown): TitledVideo {
  return { title: titleRow.parse(row).title, video: videoRow.parse(row) };
}
