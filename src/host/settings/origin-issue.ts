import type { SettingIssue } from '../../contract/settings.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Profile } from '../../engine/profiles/profile.ts';

/** A profile that names its service cannot be used for another one. */
export function originIssue({ api }: Profile, origin: string): SettingIssue | null {
  const of = api?.origin ?? origin;
  return of === origin
    ? null
    : { field: 'api.origin', ...userMessage('profile-of-other-origin', { origin: of }) };
}
