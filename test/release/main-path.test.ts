import { expect, it } from 'vitest';
import { APP_HOSTS } from '../rigs/app-hosts.ts';
import { expectMainPath } from '../rigs/main-path.ts';

it('the app in a browser renders a table, plays its video also after a rename, and quits', async () => {
  const browser = APP_HOSTS.find(({ name }) => name === 'a browser');
  await expectMainPath(await (browser?.open() ?? expect.unreachable()));
});
