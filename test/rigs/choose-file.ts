import type { Page } from 'playwright-core';

/** Chooses a file in the page's dialog. Playwright would give the page its bytes without a path. */
export async function chooseFile(page: Page, file: string): Promise<void> {
  // The view that has it may still be loading.
  await page.locator('input[type=file]').first().waitFor({ state: 'attached' });
  const devtools = await page.context().newCDPSession(page);
  const expression = 'document.querySelector("input[type=file]")';
  const { result } = await devtools.send('Runtime.evaluate', { expression });
  const { objectId = '' } = result;
  await devtools.send('DOM.setFileInputFiles', { files: [file], objectId });
  await devtools.detach();
}
