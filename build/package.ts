/**
 * `npm run package`: installers for the system that it runs on. `SPOOL_UPDATES_URL` says where they
 * will look for new versions, which are signed with `SPOOL_UPDATES_KEY`; without it they do not look.
 */
import { build, makeInstallers, updateSource } from './packager.ts';

const updates = updateSource(process.env);
build();
makeInstallers(updates);
