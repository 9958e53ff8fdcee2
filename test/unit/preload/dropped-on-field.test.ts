/** Where the paths of files that the user drops on the page go. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const sent = vi.hoisted((): unknown[][] => []);

vi.mock('electron', () => ({
  ipcRenderer: { postMessage: (...message: unknown[]) => void sent.push(message) },
  webUtils: { getPathForFile: ({ name }: { name: string }) => name && `/home/ana/${name}` },
}));

/** An element of a page, as far as the script looks at it. */
class PageElement {
  readonly dataset: Record<string, string> = {};
  readonly #field: PageElement | null;

  constructor(field: PageElement | null) {
    this.#field = field;
  }

  closest(selector: string): PageElement | null {
    return selector === '[data-takes="file"]' ? this.#field : null;
  }
}

type Listener = (event: unknown) => void;
const listeners = new Map<string, Listener>();

beforeAll(async () => {
  vi.stubGlobal('Element', PageElement);
  vi.stubGlobal('window', {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  });
  await import('../../../src/preload/preload.ts');
});

afterAll(() => {
  vi.unstubAllGlobals();
});

function drop(target: PageElement, ...names: string[]): void {
  listeners.get('drop')?.({ target, dataTransfer: { files: names.map((name) => ({ name })) } });
}

it('tells a field for files their paths, each on its line, and the main process none', () => {
  const field = new PageElement(null);
  drop(new PageElement(field), 'mug.png', 'jug.png');
  expect(field.dataset).toEqual({ files: '/home/ana/mug.png\n/home/ana/jug.png' });
  expect(sent).toEqual([]);
});

it('tells the page no path of files that are dropped elsewhere', () => {
  const elsewhere = new PageElement(null);
  drop(elsewhere, 'menu.csv', '');
  expect(elsewhere.dataset).toEqual({});
  expect(sent.splice(0)).toEqual([['files', '["/home/ana/menu.csv"]']]);
});
