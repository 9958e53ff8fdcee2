import type { PageRequest } from '../../contract/computer.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import type { Texts } from '../texts/en.ts';
import { openedFile, type OfferedFile } from './offered-file.ts';
import type { Toasts } from './toasts.svelte.ts';
import type { View } from './views.ts';

/** The parts of the page that requests of its host's menus and windows use. */
interface RequestedPage {
  readonly toasts: Toasts;
  readonly texts: Texts;
  translate(message: UserMessage): string;
  goTo(view: View): void;
  addFiles(offered: readonly OfferedFile[]): void;
  /** Reads a file again that another program saved, if it is still to be added. */
  fileChanged(offered: OfferedFile): void;
  focusSearch(): void;
}

export function fulfilRequest(request: PageRequest, page: RequestedPage): void {
  const { toasts, texts } = page;
  switch (request.kind) {
    case 'show':
      page.goTo(request.page);
      break;
    case 'add':
      if (request.file === null) page.goTo('add');
      else page.addFiles([openedFile(request.file)]);
      break;
    case 'file-changed':
      // A file that cannot be read is just being saved.
      if (!('failure' in request.file)) page.fileChanged(openedFile(request.file));
      break;
    case 'find':
      page.focusSearch();
      break;
    case 'tell':
      toasts.bad(texts.failures[request.failure.code].happened, page.translate(request.failure));
      break;
    case 'tell-recovered':
      toasts.note(texts.problems.recovered, texts.problems.recoveredMeans);
  }
}
