/** Strokes on a 16-unit square, 1.5 wide, round. Drawn for this page. */
export const ICON_PATHS = {
  queue: 'M3 4h7M3 8h10M3 12h6M12.5 3.2v1.6',
  timeline: 'M2.5 4h5M6 8h5M9.5 12h4M2.5 2v12',
  saved: 'M3 3.5h10v9H3zM6.8 6.2v3.6l3-1.8z',
  limits: 'M2.8 11.5a5.5 5.5 0 1 1 10.4 0M8 9.5l2.3-3',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 13.5 13.5',
  close: 'M4 4l8 8M12 4l-8 8',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6l7.5-4.8z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  chevron: 'M4.5 6.5 8 10l3.5-3.5',
  back: 'M9.5 4 5.5 8l4 4',
  retry: 'M12.8 6.5A5 5 0 1 0 13 9M13 3.2v3.4H9.6',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  key: 'M6 10.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM9 7.5h5M12 7.5v2.2',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  alert: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01',
  offline: 'M3 6.5a7.5 7.5 0 0 1 10 0M5.2 9a4.2 4.2 0 0 1 5.6 0M8 11.8h.01M2.5 2.5l11 11',
  question: 'M5.8 6.2a2.2 2.2 0 1 1 3.3 1.9C8.4 8.5 8 8.9 8 9.8M8 12.2h.01',
  filter: 'M2.5 4h11M5 8h6M7 12h2',
  edit: 'M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4zM9.6 4.2l2.2 2.2',
  check: 'M3.5 8.5 6.5 11.5 12.5 4.5',
} as const;

export type IconName = keyof typeof ICON_PATHS;
