import type { Storyboard } from '../rendering/storyboard.ts';

/** One video to make, and where to put it. */
export interface RenderTask {
  readonly storyboard: Storyboard;
  readonly videoPath: string;
  readonly posterPath: string;
  /** The file of an uploaded image, or undefined when there is none of that id. */
  readonly imagePath?: (id: string) => string | undefined;
}

/** Uploaded images as files of this computer, until it is disposed. */
export interface LocalImages extends AsyncDisposable {
  /** The file of an uploaded image, or undefined when there is none of that id. */
  pathOf(id: string): string | undefined;
}

export interface ImageSource {
  /** The images that a storyboard names. */
  local(storyboard: Storyboard): Promise<LocalImages>;
}

/** What makes videos: the render pool, or a quick stand-in in tests. */
export interface Renderer {
  /**
   * Resolves when both files are complete under their final names; a file under its final name is
   * never a partial one. Rejects when rendering failed or its worker crashed, and with the signal's
   * reason when it was aborted.
   */
  render(
    task: RenderTask,
    onProgress: (framesDone: number, framesTotal: number) => void,
    signal: AbortSignal,
  ): Promise<unknown>;
  close(): Promise<void>;
}
