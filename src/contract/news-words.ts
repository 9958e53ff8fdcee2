import type { News } from './news.ts';
import { sayIn } from './say-in.ts';

const inEnglish = sayIn('en-GB');
const inGerman = sayIn('de-DE');

/** A notification, as the system or a browser shows it. */
export interface Notice {
  readonly title: string;
  readonly body: string;
}

/** What a notification says, in English. */
export function newsInEnglish(news: News): Notice {
  if (news.kind === 'standstill') return { title: 'Spool needs you', body: whyInEnglish(news) };
  const { name, saved, failed, uncertain } = news;
  const rest = [
    ...(failed > 0 ? [inEnglish`${failed} failed`] : []),
    ...(uncertain > 0
      ? [inEnglish`${uncertain} need${uncertain === 1 ? 's' : ''} your decision`]
      : []),
  ];
  const videos = saved === 1 ? '1 video is saved' : inEnglish`${saved} videos are saved`;
  return {
    title: rest.length > 0 ? `${name} needs you` : `${name} is finished`,
    body: `${[videos, ...rest].join(', ')}.`,
  };
}

/** What a notification says, in German. */
export function newsInGerman(news: News): Notice {
  if (news.kind === 'standstill') return { title: 'Spool wartet auf Sie', body: whyInGerman(news) };
  const { name, saved, failed, uncertain } = news;
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

type Standstill = Extract<News, { kind: 'standstill' }>;

function whyInEnglish({ reason }: Standstill): string {
  switch (reason) {
    case 'key-missing':
      return 'Nothing is sent: the API key is missing.';
    case 'key-refused':
      return 'Nothing is sent: the service refuses the API key.';
    case 'quota-used-up':
      return 'This month’s videos are used up.';
    default:
      return 'The queue stands still until you look after it.';
  }
}

function whyInGerman({ reason }: Standstill): string {
  switch (reason) {
    case 'key-missing':
      return 'Es wird nichts gesendet: Der API-Schlüssel fehlt.';
    case 'key-refused':
      return 'Es wird nichts gesendet: Der Dienst lehnt den API-Schlüssel ab.';
    case 'quota-used-up':
      return 'Die Videos dieses Monats sind verbraucht.';
    default:
      return 'Die Warteschlange steht, bis Sie nach ihr sehen.';
  }
}
