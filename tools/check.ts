/** `npm run check`: everything static, all of it even when one finds something. */
import { CHECKS, runScripts } from './checks.ts';

const passed = await runScripts(CHECKS);
process.exitCode = passed.every(Boolean) ? 0 : 1;
