import { hasQuota, type Account } from '../accounts/account.ts';
import type { TitledVideo } from '../videos/video.ts';
import type { VideoPage, VideoRepository } from '../videos/video-repository.ts';

/** The quota with unfinished videos counted separately (service-api.md §8.3). */
export interface QuotaParts {
  /** Finished in this cycle. */
  readonly made: number;
  /** Queued or rendering: counts against the quota until rendering fails. */
  readonly held: number;
  readonly left: number;
  /** `null` for an account without a quota. */
  readonly limit: number | null;
  /** Milliseconds since the epoch. */
  readonly resetAt: number;
}

const VIDEOS_PER_PAGE = 48;

/** An account's videos and quota, for the pages of the studio. */
export class Gallery {
  readonly #videos: VideoRepository;

  constructor(videos: VideoRepository) {
    this.#videos = videos;
  }

  /**
   * The account's videos, newest first. A page number beyond the last page returns the last one.
   */
  async page(account: Account, page: number): Promise<VideoPage> {
    return this.#videos.list(account, page, VIDEOS_PER_PAGE);
  }

  /** The account's video; `undefined` for unknown identifiers and other accounts' videos alike. */
  async find(account: Account, id: string): Promise<TitledVideo | undefined> {
    return this.#videos.findTitled(account, id);
  }

  async quota(account: Account): Promise<QuotaParts> {
    const { used, held, limit, resetAt } = await this.#videos.quotaUse(account);
    const left = Math.max(0, limit - used);
    return { made: used - held, held, left, limit: hasQuota(account) ? limit : null, resetAt };
  }
}
