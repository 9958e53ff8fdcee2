import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { OpenedApp } from './app-hosts.ts';
import { chooseFile } from './choose-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Renders a table, plays its video also after a rename, and quits. */
export async function expectMainPath({ page, complaints, quit }: OpenedApp): Promise<void> {
  await page.getByRole('button', { name: 'Add videos' }).first().click();
  // On the disk: the app takes the paths of chosen files.
  const table = path.join(temporaryFolder(), 'hello.csv');
  writeFileSync(table, 'title,seconds,resolution,aspect\nHello there,1,480,1:1\n');
  await chooseFile(page, table);
  await page.getByRole('button', { name: /^Add 1 video|^Render/ }).click();
  const row = page.getByRole('row').filter({ hasText: 'Hello there' });
  await row.getByText('saved', { exact: true }).waitFor();

  // Decoded by a child process, which each host starts differently.
  const poster = await page.evaluate(async () => {
    const answer = await fetch('/posters/1');
    return { status: answer.status, type: answer.headers.get('content-type') };
  });
  expect(poster).toEqual({ status: 200, type: 'image/jpeg' });

  await row.click();
  const video = page.locator('video');
  // From the middle, for which the browser sends a range request.
  const played = await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    element.currentTime = 0.5;
    await element.play();
    return { length: Math.round(element.duration), wide: element.videoWidth > 0 };
  });
  expect(played).toEqual({ length: 1, wide: true });
  await page.keyboard.press('F2');
  await page.getByLabel('Names', { exact: true }).fill('Clips/{title}, {seconds} s');
  await page.getByRole('button', { name: 'Rename 1 file', exact: true }).click();
  await page.getByText('hello/1 Hello there.mp4 is now Clips/Hello there, 1 s.mp4.').waitFor();
  expect(
    await video.evaluate(async (element: HTMLVideoElement) => (await fetch(element.src)).status),
  ).toBe(200);
  expect(complaints).toEqual([]);
  // A file is served by its job's id; an unknown job has none.
  expect(await page.evaluate(async () => (await fetch('/saved/unknown')).status)).toBe(404);
  expect(await quit()).toBe(0);
}
