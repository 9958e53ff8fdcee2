import type { Storyboard } from '../rendering/storyboard.ts';

/** One video to render, and the paths of its files. */
export interface RenderTask {
  readonly storyboard: Storyboard;
  readonly videoPath: string;
  readonly posterPath: string;
  /** The file of an uploaded image, or undefined when there is none of that id. */
  readonly imagePath?: (id: string) => string | undefined;
}

/** Uploaded images as local files, until disposed. */
export interface LocalImages extends AsyncDisposable {
  /** The file of an uploaded image, or undefined when there is none of that id. */
  pathOf(id: string): string | undefined;
}

export interface ImageSource {
  /** Provides the images of a storyboard. */
  local(storyboard: Storyboard): Promise<LocalImages>;
}

/** Renders videos: the render pool, or a fake in tests. */
export interface Renderer {
  /**
   * Resolves when both files are complete. A file never has its final name before it is complete.
   * Rejects when rendering fails or its worker crashes, and when the signal is aborted.
   */
  render(
    task: RenderTask,
    onProgress: (framesDone: number, framesTotal: number) => void,
    signal: AbortSignal,
  ): Promise<unknown>;
  close(): Promise<void>;
}
