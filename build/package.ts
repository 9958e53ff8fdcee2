/**
 * `npm run package`: makes installers for the system that it runs on. The installed app looks for
 * new versions at `SPOOL_UPDATES_URL`, signed with `SPOOL_UPDATES_KEY`; without an address it never
 * looks.
 */
import { encoderSource } from './encoder-source.ts';
import { build, makeInstallers, updateSource } from './packager.ts';

const updates = updateSource(process.env);
const source = encoderSource(process.env);
build();
makeInstallers(updates);
console.log(`The installers are under GPL 3. The source of their encoder: ${source}`);
