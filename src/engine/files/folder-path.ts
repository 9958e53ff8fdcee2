import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { hasInvisible } from '../../contract/visible-text.ts';

/**
 * `\\host\share`, `//host/share`, `\\?\…`, `\\.\…` and `\??\…`. On Windows, opening a path on a
 * network host sends that host the user's name and a password hash; the others are devices.
 */
const NETWORK_OR_DEVICE = /^(?:[\\/]{2}|[\\/]\?\?[\\/])/;

/** On Windows, `\videos` and `C:videos` depend on the current drive or folder. */
const FROM_A_DRIVE = /^[a-z]:[\\/]/i;

/**
 * Why videos cannot be saved in a folder of this path; `null` when they can. A settings file may
 * come from another system, so network paths of every system are refused on each.
 */
export function folderIssue(folder: string, platform = process.platform): UserMessage | null {
  if (hasInvisible(folder)) return userMessage('value-invisible');
  if (NETWORK_OR_DEVICE.test(folder)) return userMessage('folder-on-network');
  const isFull = platform === 'win32' ? FROM_A_DRIVE.test(folder) : folder.startsWith('/');
  return isFull ? null : userMessage('folder-not-absolute');
}
