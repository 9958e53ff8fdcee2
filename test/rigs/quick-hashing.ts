import type { HashParameters } from '../../src/local-service/accounts/password-records.ts';

/** For tests that are not about password security: a hash takes a millisecond instead of 250. */
export const QUICK_HASHING: HashParameters = { cost: 1024, blockSize: 8, parallelization: 1 };
