import { expect, it } from 'vitest';
import type { News } from '../../../src/contract/news.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { translateMessage } from '../../../src/renderer/formatting/translate-message.ts';
import { loadAllTexts } from '../../../src/renderer/texts/languages.ts';

/** Every text by its path. Functions are called with sample values. */
function textsIn(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]): [string, string][] => {
    const here = `${path}${name}`;
    if (typeof text === 'string') return [[here, text]];
    if (typeof text === 'function') {
      return [[here, (text as (...values: unknown[]) => string)('3', 5, '7', '9')]];
    }
    return typeof text === 'object' && text !== null ? textsIn(text, `${here}.`) : [];
  });
}

const { texts: en, views: enViews } = await loadAllTexts('en');
const { texts: de, views: deViews } = await loadAllTexts('de');

const NEWS: News = { kind: 'standstill', origin: '', service: null, reason: 'key-missing' };

it.each([
  ['English', { ...en, ...enViews, news: en.news(NEWS) }],
  ['German', { ...de, ...deViews, news: de.news(NEWS) }],
])('%s has no blank or broken text, and no exclamation mark', (_language, texts) => {
  for (const [path, text] of textsIn(texts)) {
    expect(text, path).not.toMatch(/undefined|NaN|\[object|!/);
    expect(text.trim(), path).not.toBe('');
  }
});

it('German repeats an English text only where both languages use the same word', () => {
  const german = new Map(textsIn({ ...de, ...deViews, news: de.news(NEWS) }));
  const same = textsIn({ ...en, ...enViews, news: en.news(NEWS) }).filter(
    ([path, text]) => german.get(path) === text && /[a-z]{3}/i.test(text),
  );
  expect(same.map(([path]) => path).sort()).toEqual([
    'activity.costs.videos',
    'add.reading.encodings.macintosh',
    'add.reading.encodings.utf-16le',
    'add.reading.encodings.utf-8',
    'add.reading.kinds.json',
    'add.reading.kinds.json-lines',
    'details.hash',
    'frame.details',
    'frame.limits',
    'key.placeholder',
    'keyNames.alt',
    'keyNames.escape',
    'limits.download',
    'palette.videos',
    'profile.link',
    'sentences.as-system',
    'sentences.setting-updates',
    'sentences.verbatim',
    'services.documented',
    'services.examples.credits',
    'services.examples.spans.minute',
    'services.limitsLabel',
    'settings.services.name',
    'settings.themes.system',
    'settings.updates',
    'timeline.plan',
    'views.limits',
  ]);
});

it('amounts in sentences have the language’s digit grouping', () => {
  expect([enViews.add.button(1200, null), deViews.add.button(1200, null)]).toEqual([
    'Add 1,200 videos',
    '1.200 Videos hinzufügen',
  ]);
  const refused = userMessage('quota-all-used', { limit: 2500 });
  expect([refused.message, translateMessage(refused, de)]).toEqual([
    'All 2,500 videos of this month are used or reserved.',
    'Alle 2.500 Videos dieses Monats sind verbraucht oder reserviert.',
  ]);
  const news: News = {
    kind: 'batch',
    id: '1',
    name: 'Week',
    service: null,
    saved: 1200,
    failed: 0,
    uncertain: 0,
  };
  expect([en.news(news).body, de.news(news).body]).toEqual([
    '1,200 videos are saved.',
    '1.200 Videos sind gespeichert.',
  ]);
});

it('the events of every render name no service, which a computer that renders is not', () => {
  const events = ['sending', 'accepted', 'refused', 'rendering', 'rendered', 'saved'] as const;
  const words = events.flatMap((event) => [en.happened[event], de.happened[event]]);
  expect(words.filter((each) => /service|Dienst/.test(each))).toEqual([]);
});
