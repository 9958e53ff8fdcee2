import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../rigs/accessibility.ts';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import { useScenarioPages, TALL } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

const openRow =
  (title: string) =>
  async (page: Page): Promise<void> => {
    await page.getByText(title, { exact: true }).click();
    await page.getByRole('region', { name: 'Details' }).getByRole('listitem').first().waitFor();
  };

const headingOf = (page: Page) => page.locator('main h1').textContent();

/** Does what leads to another view, and waits until that is shown. */
async function changeView(page: Page, go: () => Promise<unknown>): Promise<void> {
  const before = await headingOf(page);
  await go();
  // A view's script may come after its key: until then the page has no heading, or the one before.
  await expect.poll(() => headingOf(page)).not.toBe(before);
}

const press = (key: string) => (page: Page) => changeView(page, () => page.keyboard.press(key));

/** Presses a key, and waits for what the view that it opens shows last. */
const pressFor =
  (key: string, found: (page: Page) => Locator) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(key);
    await found(page).first().waitFor();
  };

const inRow = (text: string) => (page: Page) => page.getByRole('row').getByText(text).first();

/** A batch with a row that was made before and a fault, opened at one of its parts. */
const checkBatch =
  (...labels: string[]) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press('a');
    await page.getByLabel('Choose files').setInputFiles({
      name: 'menu.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('title,aspect,Dish\nMeet the roasters,16:9,Tart\nTwo,3:2,Lunch'),
    });
    for (const label of labels) await page.locator('label').filter({ hasText: label }).click();
    await page.getByText('The plan appears once every error is fixed').waitFor();
  };

const MAIN = 'main';
const DETAILS = 'section.details';
const DIALOG = '[role=dialog]';

/**
 * What opens each view and waits until all of it is there: its script and its data may come late.
 * Contrast is measured in a part of it, where another view of this list has the rest.
 */
const VIEWS: readonly (readonly [
  what: string,
  scene: ScenarioName,
  open: (page: Page) => Promise<unknown>,
  part: string,
])[] = [
  [
    'the list of services in use',
    'several-services',
    (page) => page.getByRole('region', { name: 'Services' }).waitFor(),
    'aside',
  ],
  [
    'the welcome page',
    'first',
    (page) => page.getByRole('button', { name: 'Use my key' }).waitFor(),
    'body',
  ],
  [
    'the services to choose from',
    'first',
    async (page) => {
      await page.getByRole('button', { name: 'Use my key' }).click();
      await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
      await page.getByRole('region', { name: 'Runway' }).getByRole('link').waitFor();
    },
    MAIN,
  ],
  [
    'a profile of another service',
    'first',
    async (page) => {
      await page.getByRole('button', { name: 'Use my key' }).click();
      await page.getByRole('button', { name: 'Add another service…' }).click();
      await page.getByRole('button', { name: 'Edit as JSON' }).click();
      await page.getByText('One error').waitFor();
    },
    MAIN,
  ],
  [
    'a service that is added by examples',
    'first',
    async (page) => {
      await page.getByRole('button', { name: 'Use my key' }).click();
      await page.getByRole('button', { name: 'Add another service…' }).click();
      await page
        .getByLabel('Request', { exact: true })
        .fill(`curl https://api.example.com/v -u a:b0123456 -d '{"prompt":"A lake"}'`);
      await page.getByText('Key removed').waitFor();
      await page.getByText('More examples').click();
      await page.getByLabel('Response with the link').waitFor();
    },
    MAIN,
  ],
  [
    'the form for a key',
    'first',
    async (page) => {
      await page.getByRole('button', { name: 'Use my key' }).click();
      await page.getByRole('radio', { name: 'OpenAI' }).check({ force: true });
      await page.getByRole('button', { name: 'Use this service' }).click();
      await page.getByLabel('Address', { exact: true }).fill('video.example.com');
      await page.getByText('Where your data goes').waitFor();
    },
    MAIN,
  ],
  [
    'the form for a key of a service with an address',
    'first',
    async (page) => {
      await page.getByRole('button', { name: 'Use my key' }).click();
      await page.getByText('Service with an address', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Use this service' }).click();
      await page.getByLabel('Address', { exact: true }).waitFor();
    },
    MAIN,
  ],
  [
    'a first video under way',
    'first',
    async (page) => {
      await page.getByRole('button', { name: 'Try it on this computer' }).click();
      await page.getByRole('heading', { name: 'Rendering your first video' }).waitFor();
    },
    MAIN,
  ],
  ['the empty queue', 'empty', (page) => page.getByText('Drop a spreadsheet here').waitFor(), MAIN],
  ['the queue', 'running', (page) => inRow('Opening hours, summer')(page).waitFor(), 'body'],
  ['a blocked queue', 'key', (page) => inRow('Opening hours, summer')(page).waitFor(), 'body'],
  ['details of an uncertain video', 'running', openRow('The new house blend'), DETAILS],
  ['details of a failed video', 'running', openRow('What “single origin” means'), DETAILS],
  ['details of a saved video', 'running', openRow('Meet the roasters'), DETAILS],
  ['the timeline', 'running', pressFor('2', (page) => page.locator('[role=row] .way')), MAIN],
  [
    'saved videos',
    'shelf',
    pressFor('3', (page) => page.getByRole('button', { name: 'Play Meet the roasters' })),
    MAIN,
  ],
  [
    'a list of saved videos',
    'shelf',
    async (page) => {
      await page.keyboard.press('3');
      await page.locator('label').filter({ hasText: 'List' }).click();
      await inRow('file missing')(page).waitFor();
    },
    MAIN,
  ],
  [
    'the names that files would get',
    'shelf',
    async (page) => {
      await page.keyboard.press('3');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page.getByLabel('Names', { exact: true }).fill('Clip {nothing}');
      await page.getByText('13 with a number').waitFor();
    },
    DIALOG,
  ],
  ['the palette', 'running', pressFor('Control+k', (page) => page.getByRole('option')), DIALOG],
  [
    'a menu of a row',
    'running',
    async (page) => {
      await page.getByText('Behind the bar: Ana (2)', { exact: true }).click({ button: 'right' });
      await page.getByRole('menuitem').first().waitFor();
    },
    '[role=menu]',
  ],
  [
    'the form that changes a request',
    'running',
    async (page) => {
      await page.getByText('Behind the bar: Ana (2)', { exact: true }).click();
      await page.keyboard.press('e');
      await page.getByLabel('Title in the list').waitFor();
    },
    DIALOG,
  ],
  ['activity', 'running', pressFor('4', inRow('Saved and checked')), MAIN],
  [
    'limits',
    'running',
    pressFor('5', (page) => page.getByRole('img', { name: /^Videos left this month/ })),
    MAIN,
  ],
  [
    'settings',
    'running',
    pressFor('6', (page) => page.getByRole('heading', { name: 'Folder and names' })),
    MAIN,
  ],
  [
    'response mapping',
    'keychain',
    async (page) => {
      await page.keyboard.press('6');
      await page.getByRole('button', { name: 'View and edit' }).click();
      await page.getByLabel('Answer to a request for a video').fill('{"id":"vid_1"}');
      await page.getByText('vid_1', { exact: true }).waitFor();
    },
    'body',
  ],
  [
    'adding videos',
    'running',
    pressFor('a', (page) => page.getByRole('button', { name: 'Describe one video' })),
    MAIN,
  ],
  ['rows to be added', 'running', checkBatch('Rows'), MAIN],
  [
    'rows that were made before, and a frame',
    'here',
    async (page) => {
      await page.keyboard.press('a');
      await page.getByLabel('Choose files').setInputFiles({
        name: 'menu.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('title,points,quote\nMeet the roasters,One|Two,So\nTwo,A,B\nTwo,A,B'),
      });
      await page.getByRole('img', { name: /^A frame of/ }).waitFor();
    },
    MAIN,
  ],
  ['columns to be matched', 'running', checkBatch('Columns'), MAIN],
  ['a request of one’s own', 'running', checkBatch('Request', 'Custom template'), MAIN],
  ['names of files', 'running', checkBatch('File names'), MAIN],
  [
    'the form of one video',
    'running',
    async (page) => {
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Describe one video' }).click();
      await page.getByLabel('Title (required)').fill('Plum tart');
      await page.getByText('Uses 1 video of your quota').waitFor();
    },
    MAIN,
  ],
  [
    'the keyboard shortcuts',
    'running',
    pressFor('?', (page) => page.getByRole('dialog').getByRole('button', { name: 'Close' })),
    DIALOG,
  ],
];

describe('axe finds nothing', () => {
  it.each(VIEWS)('on %s, in light and dark colours', async (_what, scene, open, part) => {
    const page = await pages.openScenario(scene, { ...TALL, reducedMotion: 'reduce' });
    await open(page);
    await page.locator('main h1').waitFor({ state: 'attached' });
    expect(await accessibilityFaults(page, part)).toEqual([]);
  });

  it('on details in a sheet, in a narrow window', async () => {
    const page = await pages.openScenario('running', {
      viewport: { width: 900, height: 700 },
      // Words of a sheet that is still coming into sight have little contrast.
      reducedMotion: 'reduce',
    });
    await page.getByText('Meet the roasters', { exact: true }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    expect(await accessibilityFaults(page, DIALOG)).toEqual([]);
  });
});

/** From the settings: how answers are read, which is a view with no key of its own. */
async function openProfile(page: Page): Promise<void> {
  await page.locator('#settings-answers').getByRole('button').click();
  await page.getByRole('textbox').first().waitFor();
}

describe('the page fits', () => {
  it.each([
    ['900 px wide', { viewport: { width: 900, height: 700 } }],
    ['1280 px at 200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
    ['1920 px wide in German', { viewport: { width: 1920, height: 1080 }, locale: 'de-DE' }],
    [
      'German at 1280 px and 200 %',
      { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, locale: 'de-DE' },
    ],
    ['German at 1024 px', { viewport: { width: 1024, height: 700 }, locale: 'de-DE' }],
  ])('%s without scrolling sideways', async (_what, options) => {
    const page = await pages.openScenario('running', options);
    for (const key of ['1', '2', '3', '4', '5', 'a', '6', 'profile']) {
      if (key === 'profile') await changeView(page, () => openProfile(page));
      else if (key !== '1') await press(key)(page);
      await expect
        .poll(() =>
          page.evaluate(() =>
            [document.documentElement, ...document.querySelectorAll('main, main *, aside, aside *')]
              .filter(
                (element) =>
                  element.scrollWidth > element.clientWidth + 1 &&
                  ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
              )
              .map((element) => element.className),
          ),
        )
        .toEqual([]);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBe(options.viewport.width);
    }
  });

  it.each([
    [1280, 800, 1],
    [900, 700, 1.25],
    [1600, 1000, 1.5],
    [640, 400, 2],
  ])('in a window of %i × %i at scale %d, which never scrolls', async (width, height, scale) => {
    const options = { viewport: { width, height }, deviceScaleFactor: scale };
    const page = await pages.openScenario('running', options);
    for (const key of ['1', '2', '3', '4', '5', 'a', '6', 'profile', 'details']) {
      if (key === 'profile') await changeView(page, () => openProfile(page));
      else if (key === 'details') {
        await page.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
        await page.getByText('Meet the roasters', { exact: true }).click();
        await page.getByRole('heading', { name: 'History' }).waitFor();
      } else if (key !== '1') await press(key)(page);
      const scrolled = await page.evaluate(() => {
        window.scrollTo(1000, 1000);
        const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
        return {
          by: [window.scrollX, window.scrollY],
          beyond: [scrollWidth - clientWidth, scrollHeight - clientHeight],
        };
      });
      expect(scrolled, key).toEqual({ by: [0, 0], beyond: [0, 0] });
    }
  });

  it('with the buttons of a long dialog in sight', async () => {
    const page = await pages.openScenario('running', { viewport: { width: 640, height: 400 } });
    await page.keyboard.press('?');
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
    await expect
      .poll(async () => {
        const place = await close.boundingBox();
        return (place?.y ?? Infinity) + (place?.height ?? 0);
      })
      .toBeLessThanOrEqual(400);
  });
});

it('who has their system’s colours forced sees what is chosen, what is on and how far it is', async () => {
  const page = await pages.openScenario('running', { forcedColors: 'active' });
  await page.getByText('Meet the roasters', { exact: true }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const ground = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const [painted, around] of [
    ['nav [aria-current]', 'aside'],
    ['fieldset .chosen', 'fieldset'],
    ['[role=row][aria-selected=true]', 'body'],
    ['[role=row] [role=progressbar] .bar', '[role=row] [role=progressbar]'],
  ] as const) {
    await expect.poll(() => ground(painted), { message: painted }).not.toBe(await ground(around));
  }
});

it('the line at the foot leaves out what it has no room for, and cuts no word', async () => {
  const page = await pages.openScenario('running', { viewport: { width: 640, height: 400 } });
  const inSight = () =>
    page.locator('footer li').evaluateAll((items) => {
      const frame = items[0]?.parentElement?.getBoundingClientRect();
      return items
        .map((item) => ({ text: item.textContent, place: item.getBoundingClientRect() }))
        .filter(({ place }) => frame !== undefined && place.top < frame.bottom)
        .map(({ text, place }) => ({ text, whole: place.right <= (frame?.right ?? 0) }));
    });
  await expect
    .poll(async () => (await inSight()).map(({ text }) => text))
    .toContain('next send in 3 min');
  const shown = await inSight();
  expect(shown.filter(({ whole }) => !whole)).toEqual([]);
  expect(shown.length).toBeLessThan(await page.locator('footer li').count());
});

it('nothing moves for who asked for less motion', async () => {
  const page = await pages.openScenario('running', { reducedMotion: 'reduce' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await expect
    .poll(() =>
      page.evaluate(() => document.getAnimations().map((animation) => animation.playState)),
    )
    .toEqual([]);
});

it('every control says what it is to a screen reader', async () => {
  const page = await pages.openScenario('running');
  await inRow('Opening hours, summer')(page).waitFor();
  const unnamed = await page
    .locator('button:not([aria-label])')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => button.textContent.trim() === '')
        .map((button) => button.outerHTML),
    );
  expect(unnamed).toEqual([]);
  const grid = page.getByRole('grid', { name: 'Videos in the queue' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() =>
      grid.evaluate((table) => {
        const active = table.getAttribute('aria-activedescendant') ?? '';
        return document.getElementById(active)?.getAttribute('aria-rowindex');
      }),
    )
    .toBe('2');
});
