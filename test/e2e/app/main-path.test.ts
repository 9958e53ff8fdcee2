import { describe, it } from 'vitest';
import { APP_HOSTS } from '../../rigs/app-hosts.ts';
import { expectMainPath } from '../../rigs/main-path.ts';

/** Without the browser, in which `first-run.test.ts` and `views.test.ts` render and play videos. */
const WINDOWS = APP_HOSTS.filter(({ name }) => name !== 'a browser');

describe.each(WINDOWS)('the app on $name', ({ missing, open }) => {
  it('renders a table, plays its video also after a rename, and quits', async ({ skip }) => {
    if (missing !== null) skip(missing);
    await expectMainPath(await open());
  });
});
