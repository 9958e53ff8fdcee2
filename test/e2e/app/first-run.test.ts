import { expect, it } from 'vitest';
import { APP_HOSTS } from '../../rigs/app-hosts.ts';

it('comes from one click to a first finished video that plays', async () => {
  const [browser] = APP_HOSTS;
  const { page, complaints, quit } = await browser!.open();
  await page.getByRole('button', { name: 'Try it on this computer' }).click();
  await page.getByRole('heading', { name: 'Your first video is saved' }).waitFor();
  const played = await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
    return video.duration > 1 && video.videoWidth > 0;
  });
  expect(played).toBe(true);
  expect(complaints).toEqual([]);
  await quit();
});
