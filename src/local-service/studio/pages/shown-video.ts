import { html, type Html } from '../html.ts';
import { icon, type IconName } from './icons.ts';
import { dayOf, lengthOf, sizeOf } from './moments.ts';

/** A video as pages show it. */
export interface ShownVideo {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly durationSeconds: number;
  readonly now: VideoNow;
}

export type VideoNow =
  /** `position` 1 is next. `waitingFor` is a sentence why nothing is rendered for now. */
  | {
      readonly state: 'queued';
      readonly position: number;
      readonly waitingFor: string | undefined;
    }
  /** `progress` is the share of the frames that is done, 0 to 1. */
  | { readonly state: 'rendering'; readonly progress: number }
  | {
      readonly state: 'done';
      readonly posterUrl: string;
      readonly videoUrl: string;
      readonly bytes: number;
      /** Milliseconds since the epoch. */
      readonly keptUntil: number;
    }
  | { readonly state: 'deleted'; readonly deletedAt: number }
  | { readonly state: 'failed'; readonly error: string };

/** Whether the page should be refreshed soon. */
export function isBusy({ now }: ShownVideo): boolean {
  return now.state === 'queued' || now.state === 'rendering';
}

/** What a screen reader announces when a video reaches its final state. */
export function newsOf({ title, now }: ShownVideo): string {
  switch (now.state) {
    case 'failed':
      return `“${title}” could not be rendered.`;
    case 'deleted':
      return `“${title}” was deleted.`;
    default:
      return `“${title}” is done.`;
  }
}

/** A video's state as an icon and text. */
export function stateOf({ now, durationSeconds }: ShownVideo): Html {
  const line = (iconName: IconName, text: string | Html): Html =>
    html`<p class="state ${now.state}" data-state>${icon(iconName)} ${text}</p>`;
  switch (now.state) {
    case 'queued':
      if (now.waitingFor !== undefined) return line('waiting', now.waitingFor);
      return line(
        'waiting',
        now.position === 1 ? 'Queued, next' : `Queued, position ${now.position}`,
      );
    case 'rendering': {
      const percent = Math.floor(now.progress * 100);
      return html`${line('rendering', `Rendering, ${percent} %`)}
        <progress max="100" value="${percent}" aria-label="Rendered">${percent} %</progress>`;
    }
    case 'done':
      return html`${line('done', `Done · ${lengthOf(durationSeconds)} · ${sizeOf(now.bytes)}`)}
        <p class="hint">Kept until ${dayOf(now.keptUntil)}</p>`;
    case 'deleted':
      return line('trash', html`<span>Deleted on ${dayOf(now.deletedAt)}</span>`);
    case 'failed':
      return line('failed', `${now.error} It does not count against your quota.`);
  }
}
