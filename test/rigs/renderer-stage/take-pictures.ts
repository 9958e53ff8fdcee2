/** Takes the README's pictures from the stage: `npm run pictures`. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { SceneName } from './scenes.ts';
import { Theatre } from './stage-theatre.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'images');

interface Picture {
  readonly name: string;
  readonly scene: SceneName;
  readonly prepare: (page: Page) => Promise<unknown>;
}

const open = (view: string) => (page: Page) =>
  page.getByRole('navigation').getByText(view, { exact: true }).click();

const PICTURES: readonly Picture[] = [
  { name: 'welcome', scene: 'first', prepare: (page) => page.mouse.move(0, 0) },
  { name: 'queue', scene: 'running', prepare: (page) => page.mouse.move(0, 0) },
  { name: 'timeline', scene: 'running', prepare: open('Timeline') },
  { name: 'saved', scene: 'shelf', prepare: open('Saved') },
  { name: 'limits', scene: 'running', prepare: open('Limits') },
];

const theatre = await Theatre.open();
for (const { name, scene, prepare } of PICTURES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await theatre.play(scene, { colorScheme, viewport: { width: 1280, height: 800 } });
    await prepare(page);
    await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}.png`) });
    await page.context().close();
  }
}
await theatre.close();
