import type { SettingFault } from '../../contract/settings.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Profile } from '../../engine/profiles/profile.ts';

/** A profile that names its service cannot be used for another one. */
export function originFault({ api }: Profile, origin: string): SettingFault | null {
  const of = api?.origin ?? origin;
  return of === origin
    ? null
    : { field: 'api.origin', ...userMessage('profile-of-other-origin', { origin: of }) };
}
