import { expect, it } from 'vitest';
import { APP_HOSTS } from '../../rigs/app-hosts.ts';

it('the first run renders and plays a video after one click', async () => {
  const [browser] = APP_HOSTS;
  const { page, complaints, quit } = await browser!.open();
  await page.getByRole('button', { name: 'Try it on this computer' }).click();
  await page.getByRole('heading', { name: 'Your first video is saved' }).waitFor();
  const played = await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    // From the middle, for which the browser sends a range request.
    video.currentTime = 0.5;
    await video.play();
    return video.duration > 1 && video.videoWidth > 0;
  });
  expect(played).toBe(true);
  // The whole picture is visible, in its aspect ratio and with controls.
  const shown = await page.locator('video').evaluate((video: HTMLVideoElement) => {
    const { top, bottom, width, height } = video.getBoundingClientRect();
    const isWhole = top >= 0 && bottom <= innerHeight;
    const ratio = (width / height) * (video.videoHeight / video.videoWidth);
    return { isWhole, ratio, controls: video.controls, fit: getComputedStyle(video).objectFit };
  });
  expect(shown).toMatchObject({ isWhole: true, controls: true });
  expect(shown.ratio).toBeCloseTo(1, 1);
  expect(complaints).toEqual([]);
  expect(await page.evaluate(async () => (await fetch('/saved/unknown')).status)).toBe(404);
  expect(await quit()).toBe(0);
});
