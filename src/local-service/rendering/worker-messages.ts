import type { Storyboard } from './storyboard.ts';

/** What a worker needs to render one video. Image ids are resolved to files before it is sent. */
export interface RenderOrder {
  storyboard: Storyboard;
  videoPath: string;
  posterPath: string;
  /** The file of each uploaded image that the storyboard names. */
  imageFiles: Readonly<Record<string, string>>;
}

export interface RenderResult {
  durationSeconds: number;
  bytes: number;
  width: number;
  height: number;
}

/** Pool to worker. A worker renders one order at a time. */
export type ToWorker = { kind: 'render'; order: RenderOrder } | { kind: 'cancel' };

/** Worker to pool. After `done` or `failed` the worker is free again. */
export type FromWorker =
  | { kind: 'progress'; framesDone: number; framesTotal: number }
  | { kind: 'done'; result: RenderResult }
  | {
      kind: 'failed';
      code: 'RENDER_CANCELLED' | 'IMAGE_UNREADABLE' | 'RENDER_FAILED';
      /** The scene whose image failed, or the reason; completes the sentence of the error. */
      detail: string;
    };
