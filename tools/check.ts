/** `npm run check`: everything static, all of it even when one finds something. */
import { runChecks } from './checks.ts';

const passed = await runChecks();
process.exitCode = passed.every(Boolean) ? 0 : 1;
