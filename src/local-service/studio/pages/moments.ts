import { html, type Html } from '../html.ts';

const day = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeZone: 'UTC',
});
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A calendar day in UTC, the time zone of quotas. */
export function dayOf(ms: number): Html {
  return html`<time datetime="${iso(ms)}" title="${dayAndTime.format(ms)} UTC"
    >${day.format(ms)}</time
  >`;
}

/** A date and time in UTC, which the page's script converts to the visitor's time zone. */
export function momentOf(ms: number): Html {
  return html`<time datetime="${iso(ms)}" data-local>${dayAndTime.format(ms)} UTC</time>`;
}

/** A duration such as 0:07 or 12:30. */
export function lengthOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A size in decimal units, such as 4.2 MB. */
export function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
