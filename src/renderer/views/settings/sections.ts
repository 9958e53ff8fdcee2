/** The sections of the settings, in their order on the page. */
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

/** The id of a section's element. */
export function sectionId(name: SectionName): string {
  return `settings-${name}`;
}
