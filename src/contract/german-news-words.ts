import type { News } from './news.ts';
import type { Notice, Standstill } from './news-words.ts';
import { formatIn } from './format-in.ts';

const inGerman = formatIn('de-DE');

/** The text of a notification in German. */
export function newsInGerman(news: News): Notice {
  const { service } = news;
  if (news.kind === 'standstill') {
    const at = service === null ? '' : `${service.isLocal ? 'Dieser Computer' : service.name}: `;
    return { title: 'Spool wartet auf Sie', body: at + whyInGerman(news) };
  }
  const { saved, failed, uncertain } = news;
  const at = service === null ? '' : ` (${service.isLocal ? 'dieser Computer' : service.name})`;
  const name = news.name + at;
  const rest = [
    ...(failed > 0 ? [inGerman`${failed} fehlgeschlagen`] : []),
    ...(uncertain > 0
      ? [inGerman`${uncertain} brauch${uncertain === 1 ? 't' : 'en'} Ihre Entscheidung`]
      : []),
  ];
  const videos =
    saved === 1 ? '1 Video ist gespeichert' : inGerman`${saved} Videos sind gespeichert`;
  return {
    title: rest.length > 0 ? `${name} wartet auf Sie` : `${name} ist fertig`,
    body: `${[videos, ...rest].join(', ')}.`,
  };
}

function whyInGerman({ reason }: Standstill): string {
  switch (reason) {
    case 'key-missing':
      return 'Es wird nichts gesendet: Der API-Schlüssel fehlt.';
    case 'key-refused':
      return 'Es wird nichts gesendet: Der Dienst lehnt den API-Schlüssel ab.';
    case 'quota-used-up':
      return 'Die Videos dieses Monats sind verbraucht.';
    case 'daily-quota-used-up':
      return 'Die heutigen Videos sind verbraucht.';
    case 'nothing-left':
      return 'Laut Dienst ist nichts mehr übrig.';
    default:
      return 'Die Warteschlange steht, bis Sie nach ihr sehen.';
  }
}
