import type { Job } from '../../../contract/job.ts';
import { videosOfLine } from '../../formatting/line-videos.ts';
import { fileName } from '../../formatting/file-name.ts';
import type { AppState } from '../../state/app-state.svelte.ts';
import type { JobList } from '../../state/job-list.svelte.ts';
import type { Selection } from '../../state/selection.svelte.ts';

interface View {
  readonly list: JobList;
  readonly selection: Selection;
}

/** Only a file that is where it was saved can be handed over. */
export function canDragOut(job: Pick<Job, 'state'>): boolean {
  return job.state === 'done';
}

/**
 * Lets a saved file be dropped on another program; if it is selected, together with the other
 * selected saved files. A browser can drag only one file.
 */
export function dragOut(
  event: DragEvent,
  job: Job,
  view: View,
  app: Pick<AppState, 'computer' | 'fileAddress'>,
): void {
  if (app.computer.abilities.dragOut) {
    // The window continues the drag with real files.
    event.preventDefault();
    const { list, selection } = view;
    const saved = list.held().flatMap(videosOfLine).filter(canDragOut);
    const ids = selection.ids.has(job.id)
      ? [...selection.ids]
      : videosOfLine(job).map(({ id }) => id);
    void app.computer.dragOut(ids.filter((each) => saved.some(({ id }) => id === each)));
    return;
  }
  const address = new URL(app.fileAddress(job.id), document.baseURI).href;
  const name = job.file === null ? `${job.title}.mp4` : fileName(job.file.path);
  event.dataTransfer?.setData('DownloadURL', `video/mp4:${name}:${address}`);
}
