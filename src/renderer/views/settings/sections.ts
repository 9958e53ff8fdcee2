/** The parts of the settings, in the order in which they stand. */
export const SECTIONS = [
  'service',
  'key',
  'plan',
  'answers',
  'files',
  'transfers',
  'notifications',
  'start',
  'appearance',
  'share',
] as const;

export type SectionName = (typeof SECTIONS)[number];

/** The element that holds a part, and takes the keyboard when its anchor is chosen. */
export function sectionId(name: SectionName): string {
  return `settings-${name}`;
}
