import type { News } from './news.ts';
import { english, german } from './format-in.ts';

/** A notification, as the system or a browser shows it. */
export interface Notice {
  readonly title: string;
  readonly body: string;
}

/** The text of a notification in English. */
export function newsInEnglish(news: News): Notice {
  const { service } = news;
  if (news.kind === 'standstill') {
    const at = service === null ? '' : `${service.isLocal ? 'This computer' : service.name}: `;
    return { title: 'Spool needs attention', body: at + whyInEnglish(news) };
  }
  const { saved, failed, uncertain } = news;
  const at = service === null ? '' : ` (${service.isLocal ? 'this computer' : service.name})`;
  const name = news.name + at;
  const rest = [
    ...(failed > 0 ? [english`${failed} failed`] : []),
    ...(uncertain > 0
      ? [english`${uncertain} need${uncertain === 1 ? 's' : ''} your decision`]
      : []),
  ];
  const videos = saved === 1 ? '1 video is saved' : english`${saved} videos are saved`;
  return {
    title: rest.length > 0 ? `${name} needs attention` : `${name} is finished`,
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
    case 'daily-quota-used-up':
      return 'Today’s videos are used up.';
    case 'nothing-left':
      return 'The service says that nothing is left.';
    default:
      return 'The queue has stopped and needs attention.';
  }
}

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
    ...(failed > 0 ? [german`${failed} fehlgeschlagen`] : []),
    ...(uncertain > 0
      ? [german`${uncertain} brauch${uncertain === 1 ? 't' : 'en'} Ihre Entscheidung`]
      : []),
  ];
  const videos = saved === 1 ? '1 Video ist gespeichert' : german`${saved} Videos sind gespeichert`;
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
