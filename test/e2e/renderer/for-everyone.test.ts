import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from '../../rigs/accessibility.ts';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import {
  showInOrder,
  TALL,
  useScenarioPages,
} from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';
import { casesOf } from '../../soak/long-form.ts';

const pages = useScenarioPages();

/** A row among finished ones, which are folded until the rows are shown in order. */
const openSaved =
  (title: string) =>
  async (page: Page): Promise<void> => {
    await showInOrder(page);
    await openRow(title)(page);
  };

const openRow =
  (title: string) =>
  async (page: Page): Promise<void> => {
    await page.getByText(title, { exact: true }).click();
    await page.getByRole('region', { name: 'Details' }).getByRole('listitem').first().waitFor();
  };

const headingOf = (page: Page) => page.locator('main h1').textContent();

/** Runs `go`, and waits until another view is shown. */
async function changeView(page: Page, go: () => Promise<unknown>): Promise<void> {
  const before = await headingOf(page);
  await go();
  // A view's script may load late: until then the page has no heading, or the previous one.
  await expect.poll(() => headingOf(page)).not.toBe(before);
}

const press = (key: string) => (page: Page) => changeView(page, () => page.keyboard.press(key));

/** Presses a key, and waits for `found`, which the opened view shows last. */
const pressFor =
  (key: string, found: (page: Page) => Locator) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(key);
    await found(page).first().waitFor();
  };

const inRow = (text: string) => (page: Page) => page.getByRole('row').getByText(text).first();

const MAIN = 'main';
const DETAILS = 'section.details';
const DIALOG = '[role=dialog]';

/**
 * `open` opens a view and waits for its script and data. Contrast is measured in `part` only, if
 * another view of the flow covers the rest.
 */
type View = readonly [what: string, open: (page: Page) => Promise<unknown>, part: string];

/** Closes a dialog or menu. */
async function dismiss(page: Page, role: 'dialog' | 'menu'): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole(role).waitFor({ state: 'detached' });
}

const back = (page: Page) =>
  changeView(page, () => page.getByRole('button', { name: 'Back', exact: true }).click());

/** Opens one of the parts of a batch that is to be added. */
const batchPart =
  (...labels: string[]) =>
  async (page: Page): Promise<void> => {
    for (const label of labels) await page.locator('label').filter({ hasText: label }).click();
    await page.getByText('The plan appears once every error is fixed').waitFor();
  };

/** Flows: a scene and its views, each opened from the one before. */
const FLOWS: readonly (readonly [
  of: string,
  scene: ScenarioName,
  views: readonly [View, ...View[]],
])[] = [
  [
    'several services',
    'several-services',
    [
      [
        'the list of services in use',
        (page) => page.getByRole('region', { name: 'Services' }).waitFor(),
        'aside',
      ],
    ],
  ],
  [
    'the first run',
    'first',
    [
      [
        'the welcome page',
        (page) => page.getByRole('button', { name: 'Use my key' }).waitFor(),
        'body',
      ],
      [
        'the services to choose from',
        async (page) => {
          await page.getByRole('button', { name: 'Use my key' }).click();
          await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
          await page.getByRole('region', { name: 'Runway' }).getByRole('link').waitFor();
        },
        MAIN,
      ],
      [
        'a profile of another service',
        async (page) => {
          await page.getByRole('button', { name: 'Add another service…' }).click();
          await page.getByRole('button', { name: 'Edit as JSON' }).click();
          await page.getByText('One error').waitFor();
        },
        MAIN,
      ],
      [
        'a service that is added by examples',
        async (page) => {
          await back(page);
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
        async (page) => {
          await back(page);
          await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
          await page.getByRole('button', { name: 'Use this service' }).click();
          await page.getByText('Where your data goes').waitFor();
        },
        MAIN,
      ],
      [
        'the form for a key of a service with an address',
        async (page) => {
          await back(page);
          await page.getByText('Video Generation Service', { exact: true }).first().click();
          await page.getByRole('button', { name: 'Use this service' }).click();
          await page.getByLabel('Address', { exact: true }).waitFor();
        },
        MAIN,
      ],
      [
        'a first video under way',
        async (page) => {
          await back(page);
          await back(page);
          await page.getByRole('button', { name: 'Try it on this computer' }).click();
          await page.getByRole('heading', { name: 'Rendering your first video' }).waitFor();
        },
        MAIN,
      ],
    ],
  ],
  [
    'an empty queue',
    'empty',
    [['the empty queue', (page) => page.getByText('Drop a spreadsheet here').waitFor(), MAIN]],
  ],
  [
    'a queue',
    'running',
    [
      ['the queue', (page) => inRow('Opening hours, summer')(page).waitFor(), 'body'],
      ['details of an uncertain video', openRow('The new house blend'), DETAILS],
      ['details of a failed video', openRow('What “single origin” means'), DETAILS],
      ['details of a saved video', openSaved('Meet the roasters'), DETAILS],
      [
        'a menu of a row',
        async (page) => {
          const row = page.getByText('Behind the bar: Ana (2)', { exact: true });
          await row.click({ button: 'right' });
          await page.getByRole('menuitem').first().waitFor();
        },
        '[role=menu]',
      ],
      [
        'the form that changes a request',
        async (page) => {
          await dismiss(page, 'menu');
          await page.getByText('Behind the bar: Ana (2)', { exact: true }).click();
          await page.keyboard.press('e');
          await page.getByLabel('Title (required)').waitFor();
        },
        DIALOG,
      ],
      [
        'the palette',
        async (page) => {
          await dismiss(page, 'dialog');
          await page.keyboard.press('Control+k');
          await page.getByRole('option').first().waitFor();
        },
        DIALOG,
      ],
      [
        'the keyboard shortcuts',
        async (page) => {
          await dismiss(page, 'dialog');
          await page.keyboard.press('?');
          await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor();
        },
        DIALOG,
      ],
    ],
  ],
  [
    'a blocked queue',
    'key',
    [['a blocked queue', (page) => inRow('Opening hours, summer')(page).waitFor(), 'body']],
  ],
  [
    'saved videos',
    'shelf',
    [
      [
        'saved videos',
        pressFor('3', (page) => page.getByRole('button', { name: 'Play Meet the roasters' })),
        MAIN,
      ],
      [
        'the names that files would get',
        async (page) => {
          await page.getByRole('button', { name: 'Rename', exact: true }).click();
          await page.getByLabel('Names', { exact: true }).fill('Clip {nothing}');
          await page.getByText('13 with a number').waitFor();
        },
        DIALOG,
      ],
      [
        'a list of saved videos',
        async (page) => {
          await dismiss(page, 'dialog');
          await page.locator('label').filter({ hasText: 'List' }).click();
          await inRow('file missing')(page).waitFor();
        },
        MAIN,
      ],
    ],
  ],
  [
    'what comes besides the queue',
    'running',
    [
      ['the timeline', pressFor('2', (page) => page.locator('[role=row] .way')), MAIN],
      ['activity', pressFor('4', inRow('Saved and checked')), MAIN],
      [
        'limits',
        pressFor('5', (page) => page.getByRole('img', { name: /^Videos left this month/ })),
        MAIN,
      ],
      [
        'settings',
        pressFor('6', (page) => page.getByRole('heading', { name: 'Folder and names' })),
        MAIN,
      ],
      [
        'adding videos',
        pressFor('a', (page) => page.getByRole('button', { name: 'Describe one video' })),
        MAIN,
      ],
      [
        'rows to be added',
        async (page) => {
          // One of them was rendered before, and the other has an error.
          await page.getByLabel('Choose files').setInputFiles({
            name: 'menu.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from('title,aspect,Dish\nMeet the roasters,16:9,Tart\nTwo,3:2,Lunch'),
          });
          await batchPart('Rows')(page);
        },
        MAIN,
      ],
      ['columns to be matched', batchPart('Columns'), MAIN],
      ['names of files', batchPart('File names'), MAIN],
      ['a request of one’s own', batchPart('Request', 'Custom template'), MAIN],
      [
        'the form of one video',
        async (page) => {
          await page.getByRole('button', { name: 'Another file' }).click();
          await page.getByRole('button', { name: 'Describe one video' }).click();
          await page.getByLabel('Title (required)').fill('Plum tart');
          await page.getByText('Uses 1 video of your quota').waitFor();
        },
        MAIN,
      ],
    ],
  ],
  [
    'the service of this computer',
    'here',
    [
      [
        'rows that were made before, and a frame',
        async (page) => {
          await page.keyboard.press('a');
          await page.getByLabel('Choose files').setInputFiles({
            name: 'menu.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from(
              'title,points,quote\nMeet the roasters,One|Two,So\nTwo,A,B\nTwo,A,B',
            ),
          });
          await page.getByRole('img', { name: /^A frame of/ }).waitFor();
        },
        MAIN,
      ],
    ],
  ],
  [
    'a keychain that keeps no key',
    'keychain',
    [
      [
        'response mapping',
        async (page) => {
          await page.keyboard.press('6');
          await page.getByRole('button', { name: 'View and edit' }).click();
          await page.getByLabel('Answer to a request for a video').fill('{"id":"vid_1"}');
          await page.getByText('vid_1', { exact: true }).waitFor();
        },
        'body',
      ],
    ],
  ],
];

/**
 * How many views of a flow, counted from its last one, are measured in dark colours too. `npm run test:soak` measures all: light and dark colours come in pairs, which
 * test/unit/renderer/contrast.test.ts holds to their contrast.
 */
const IN_DARK_TOO = casesOf({ short: 1, long: Infinity });

describe('axe finds no faults, in light and dark colours,', () => {
  it.each(FLOWS)('on views of %s', async (_of, scene, views) => {
    // Text has little contrast while it fades in.
    const page = await pages.openScenario(scene, { ...TALL, reducedMotion: 'reduce' });
    const faults: string[] = [];
    for (const [index, [what, open, part]] of views.entries()) {
      await open(page);
      await page.locator('main h1').waitFor({ state: 'attached' });
      const inBoth = index >= views.length - IN_DARK_TOO;
      const found = await accessibilityViolations(page, part, inBoth);
      faults.push(...found.map((fault) => `${what}, ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it('in a details sheet of a narrow window', async () => {
    const page = await pages.openScenario('running', {
      viewport: { width: 900, height: 700 },
      reducedMotion: 'reduce',
    });
    await page.getByText('Latte art for beginners', { exact: true }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    expect(await accessibilityViolations(page, DIALOG)).toEqual([]);
  });
});

/** Opens the response mapping from the settings, because that view has no keyboard shortcut. */
async function openProfile(page: Page): Promise<void> {
  await page.locator('#settings-answers').getByRole('button').click();
  await page.getByRole('textbox').first().waitFor();
}

/** Opens a view by its key; one without a key, from the view before it. */
async function openView(page: Page, view: string): Promise<void> {
  if (view === 'profile') await changeView(page, () => openProfile(page));
  else if (view === 'details') {
    await page.getByRole('navigation').getByRole('button').first().click();
    await page.getByText('Latte art for beginners', { exact: true }).click();
    await page.locator(`${DETAILS}, ${DIALOG}`).getByRole('listitem').first().waitFor();
  } else if (view !== '1') await press(view)(page);
}

/** The classes of elements that can be scrolled sideways. */
const scrollable = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, main *, aside, aside *')]
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 &&
          ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
      )
      .map((element) => element.className),
  );

/** The texts of the queue's cells with a progress bar that do not fit. */
async function cutProgress(page: Page): Promise<string[]> {
  await page.getByRole('progressbar').first().waitFor();
  return page
    .getByRole('gridcell')
    .filter({ has: page.getByRole('progressbar') })
    .evaluateAll((cells) =>
      cells
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
}

/** How far the window can be scrolled, and how far its content exceeds it. */
const scrolled = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo(1000, 1000);
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
    return {
      by: [window.scrollX, window.scrollY],
      beyond: [scrollWidth - clientWidth, scrollHeight - clientHeight],
    };
  });

/** The most crowded windows. */
const WINDOWS = [
  ['900 × 700', { viewport: { width: 900, height: 700 } }],
  ['1024 × 700 in German', { viewport: { width: 1024, height: 700 }, locale: 'de-DE' }],
  [
    '640 × 400 at scale 2 in German',
    { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, locale: 'de-DE' },
  ],
] as const;

/** Further sizes and scales, for `npm run test:soak`. */
const MORE_WINDOWS = [
  ['1280 × 800', { viewport: { width: 1280, height: 800 } }],
  ['640 × 400 at scale 2', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['900 × 700 at scale 1.25', { viewport: { width: 900, height: 700 }, deviceScaleFactor: 1.25 }],
  ['1600 × 1000 at scale 1.5', { viewport: { width: 1600, height: 1000 }, deviceScaleFactor: 1.5 }],
  ['1920 × 1080 in German', { viewport: { width: 1920, height: 1080 }, locale: 'de-DE' }],
] as const;

describe('the page fits', () => {
  it.each([...WINDOWS, ...MORE_WINDOWS.slice(0, casesOf({ short: 0, long: MORE_WINDOWS.length }))])(
    'in a window of %s without scrolling sideways',
    async (_what, options) => {
      const page = await pages.openScenario('running', options);
      for (const view of ['1', '2', '3', '4', '5', 'a', '6', 'profile', 'details']) {
        await openView(page, view);
        expect(await scrolled(page), view).toEqual({ by: [0, 0], beyond: [0, 0] });
        await expect.poll(() => scrollable(page), { message: view }).toEqual([]);
        if (view === '1') await expect.poll(() => cutProgress(page)).toEqual([]);
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBe(options.viewport.width);
      }
    },
  );

  it('with the heading of a blocked queue beside the button that adds videos', async () => {
    const page = await pages.openScenario('quota', {
      viewport: { width: 640, height: 400 },
      locale: 'de-DE',
    });
    const line = page.getByText('neues Kontingent 28. März');
    const button = page.getByRole('main').getByRole('button', { name: 'Videos hinzufügen' });
    const [{ x, y, width, height }, place] = [
      (await line.boundingBox())!,
      (await button.boundingBox())!,
    ];
    const isBeside = x + width <= place.x || y >= place.y + place.height || y + height <= place.y;
    expect(isBeside).toBe(true);
  });

  it('with the buttons of a selection in three lines', async () => {
    const page = await pages.openScenario('running', {
      viewport: { width: 640, height: 480 },
      locale: 'de-DE',
    });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('111 ausgewählt').waitFor();
    const bar = page.locator('.bar').filter({ hasText: '111 ausgewählt' });
    const tops = await bar
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
    expect(new Set(tops.map(Math.round)).size).toBeLessThanOrEqual(3);
    expect(Math.round(tops.at(-1) ?? 0)).toBe(Math.round(tops[0] ?? 1));
  });

  it('with the buttons of a long dialog visible', async () => {
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

it('forced colours distinguish the selected, the current and progress', async () => {
  const page = await pages.openScenario('running', { forcedColors: 'active' });
  await page.getByText('Latte art for beginners', { exact: true }).click();
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

it('the status bar leaves out what does not fit, and cuts no word', async () => {
  const page = await pages.openScenario('running', { viewport: { width: 640, height: 400 } });
  const inSight = () =>
    page.locator('footer li').evaluateAll((items) => {
      const frame = items[0]?.parentElement?.getBoundingClientRect();
      return items
        .map((item) => ({ text: item.textContent, place: item.getBoundingClientRect() }))
        .filter(({ place }) => frame !== undefined && place.top < frame.bottom)
        .map(({ text, place }) => ({ text, whole: place.right <= (frame?.right ?? 0) }));
    });
  await expect.poll(async () => (await inSight()).map(({ text }) => text)).toContain('94 waiting');
  const shown = await inSight();
  expect(shown.filter(({ whole }) => !whole)).toEqual([]);
  expect(shown.length).toBeLessThan(await page.locator('footer li').count());
});

it('nothing is animated when the user prefers reduced motion', async () => {
  const page = await pages.openScenario('running', { reducedMotion: 'reduce' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await expect
    .poll(() =>
      page.evaluate(() => document.getAnimations().map((animation) => animation.playState)),
    )
    .toEqual([]);
});

it('every control has an accessible name', async () => {
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
