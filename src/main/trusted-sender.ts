import type { IpcMainEvent } from 'electron';
import { isAppAddress } from './app-origin.ts';

/**
 * Whether a message comes from the app's own page and not from a frame inside it: any embedded
 * frame can send, see https://www.electronjs.org/docs/latest/tutorial/security (17).
 */
export function isTrustedSender({ senderFrame, sender }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isAppAddress(senderFrame.url);
}
