import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/**
 * Debian's Chromium. Its headless shell is preferred: it draws the same pages with half the
 * processor time, because it draws no window around them.
 */
export const CHROMIUM =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file)) ??
  'chromium';

/** Flags that keep Chromium from contacting servers other than the tested pages. */
export const QUIET_CHROMIUM: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * @param more switches of Chromium
 * @param slowMo how long it waits before each step, in milliseconds
 */
export async function launchBrowser(more: readonly string[] = [], slowMo = 0): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: CHROMIUM, args: [...QUIET_CHROMIUM, ...more], slowMo });
}
