import { html, type Html } from '../html.ts';

const paths = {
  add: 'M8 3.25v9.5M3.25 8h9.5',
  up: 'M8 12.5v-9M4 7.25 8 3.25l4 4',
  down: 'M8 3.5v9M4 8.75l4 4 4-4',
  trash: 'M2.75 4.25h10.5M6.25 4V2.75h3.5V4M4 4.25l.6 9h6.8l.6-9M6.75 7v3.75M9.25 7v3.75',
  download: 'M8 2.75v7.5M4.75 7.25 8 10.5l3.25-3.25M3 13.25h10',
  back: 'M9.75 3.5 5.25 8l4.5 4.5',
  key: 'M9.9 6.1a2.9 2.9 0 1 1-1.2-2.35M8.6 8.4l4.65 4.65M11 10.8l1.4-1.4',
  film: 'M2.75 3.25h10.5v9.5H2.75zM5.5 3.25v9.5M10.5 3.25v9.5M2.75 6.4h2.75M2.75 9.6h2.75M10.5 6.4h2.75M10.5 9.6h2.75',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.2',
  waiting: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3',
  rendering: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3M8 3v10M9.6 4v8M11.2 5.2v5.6',
  done: 'M3.25 8.5 6.5 11.75 12.75 4.75',
  failed: 'M4 4l8 8M12 4l-8 8',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon, hidden from screen readers: use it only beside text with the same meaning. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d="${paths[name]}" />
  </svg>`;
}

/** Spool's logo. */
export const mark: Html = html`<svg
  class="mark"
  viewBox="0 0 512 512"
  aria-hidden="true"
  focusable="false"
>
  <rect x="24" y="24" width="464" height="464" rx="108" fill="#1d1a17" />
  <path
    fill="#f8ae33"
    fill-rule="evenodd"
    d="M256 94a162 162 0 1 1 0 324 162 162 0 0 1 0-324zm0 46.8a41.4 41.4 0 1 0 0 82.8 41.4 41.4 0 0 0 0-82.8zM171.4 266.8a41.4 41.4 0 1 0 0 82.8 41.4 41.4 0 0 0 0-82.8zm169.2 0a41.4 41.4 0 1 0 0 82.8 41.4 41.4 0 0 0 0-82.8z"
  />
</svg>`;
