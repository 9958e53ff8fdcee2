import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Storyboard, storyboardSchema } from '../rendering/storyboard.ts';

/** The states of a video; service-api.md §3 leaves their names open. */
export const videoStateSchema = z.enum(['queued', 'rendering', 'done', 'failed']);
export type VideoState = z.infer<typeof videoStateSchema>;

/**
 * The format of a video's identifier (service-api.md §2.2), which is also part of its file names.
 */
export const videoIdPattern = /^vid_[A-Za-z0-9_-]{22}$/;

interface VideoBase {
  readonly id: string;
  readonly accountId: number;
  /** Length of the finished video, known from its storyboard. */
  readonly durationSeconds: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Generates an identifier that cannot be guessed. */
export function newVideoId(): string {
  return `vid_${randomBytes(16).toString('base64url')}`;
}

export type FinishedVideo = Extract<Video, { readonly state: 'done' }>;

export type Video = VideoBase &
  (
    | { readonly state: 'queued' | 'rendering' }
    | {
        readonly state: 'done';
        readonly finishedAt: number;
        /** The attempt that rendered the file. */
        readonly attempt: number;
        readonly bytes: number;
        /** Of the whole file, in hexadecimal. */
        readonly sha256: string;
        /** When the video becomes unavailable and its files are deleted; ms since the epoch. */
        readonly expiresAt: number;
        readonly filesRemoved: boolean;
      }
    | { readonly state: 'failed'; readonly finishedAt: number; readonly error: string }
  );

const base = {
  id: z.string().regex(videoIdPattern),
  account_id: z.int(),
  duration_seconds: z.number(),
  created_at: z.int(),
};

/** A video's table row; parsing a row yields the video. */
export const videoRow = z
  .discriminatedUnion('state', [
    z.object({ ...base, state: z.enum(['queued', 'rendering']) }),
    z.object({
      ...base,
      state: z.literal('done'),
      finished_at: z.int(),
      attempt: z.int(),
      bytes: z.int(),
      sha256: z.string(),
      expires_at: z.int(),
      files_removed: z.literal([0, 1]),
    }),
    z.object({ ...base, state: z.literal('failed'), finished_at: z.int(), error: z.string() }),
  ])
  .transform((row): Video => {
    const common = {
      id: row.id,
      accountId: row.account_id,
      durationSeconds: row.duration_seconds,
      createdAt: row.created_at,
    };
    switch (row.state) {
      case 'queued':
      case 'rendering':
        return { ...common, state: row.state };
      case 'done':
        return {
          ...common,
          state: row.state,
          finishedAt: row.finished_at,
          attempt: row.attempt,
          bytes: row.bytes,
          sha256: row.sha256,
          expiresAt: row.expires_at,
          filesRemoved: row.files_removed === 1,
        };
      case 'failed':
        return { ...common, state: row.state, finishedAt: row.finished_at, error: row.error };
    }
  });

/** A video with the title from its storyboard. */
export interface TitledVideo {
  readonly title: string;
  readonly video: Video;
}

const titleRow = z.object({ title: z.string() });

/** A video's table row with a column `title`. */
export const titledVideoRow = z.unknown().transform((row): TitledVideo => ({
  title: titleRow.parse(row).title,
  video: videoRow.parse(row),
}));

/** A stored storyboard; `undefined` when it cannot be parsed. */
export function storedStoryboard(json: string): Storyboard | undefined {
  try {
    return storyboardSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
