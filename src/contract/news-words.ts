import type { News } from './news.ts';
import { formatIn } from './format-in.ts';

const inEnglish = formatIn('en-GB');

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
    ...(failed > 0 ? [inEnglish`${failed} failed`] : []),
    ...(uncertain > 0
      ? [inEnglish`${uncertain} need${uncertain === 1 ? 's' : ''} your decision`]
      : []),
  ];
  const videos = saved === 1 ? '1 video is saved' : inEnglish`${saved} videos are saved`;
  return {
    title: rest.length > 0 ? `${name} needs attention` : `${name} is finished`,
    body: `${[videos, ...rest].join(', ')}.`,
  };
}

export type Standstill = Extract<News, { kind: 'standstill' }>;

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
