/**
 * `npm run package`: installers for the system that it runs on. `SPOOL_UPDATES_URL` says where they
 * will look for new versions; without it they do not look.
 */
import { build, makeInstallers, updatesAddress } from './packager.ts';

const updates = updatesAddress(process.env);
build();
makeInstallers(updates);
