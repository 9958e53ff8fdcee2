import type { Account } from '../accounts/account.ts';
import type { TitledVideo } from '../videos/video.ts';
import type { VideoPage, VideoRepository } from '../videos/video-repository.ts';

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

const VIDEOS_ON_A_PAGE = 48;

/** What an account has made, through the API and in the studio alike. */
export class Gallery {
  readonly #videos: VideoRepository;

  constructor(videos: VideoRepository) {
    this.#videos = videos;
  }

  /** The account's videos, the newest first. A page beyond the last one is the last one. */
  async page(account: Account, asked: number): Promise<VideoPage> {
    return this.#videos.list(account, asked, VIDEOS_ON_A_PAGE);
  }

  /** One video; `undefined` alike for unknown identifiers and for other people's. */
  async find(account: Account, id: string): Promise<TitledVideo | undefined> {
    return this.#videos.findTitled(account, id);
  }

  async quota(account: Account): Promise<QuotaParts> {
    const { used, held, limit, resetAt } = await this.#videos.quotaUse(account);
    return { made: used - held, held, left: Math.max(0, limit - used), limit, resetAt };
  }
}
