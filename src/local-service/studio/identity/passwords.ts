import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** A password as it is kept. The cost is kept with it, so that it can be raised later. */
export interface PasswordHash {
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
  /** scrypt's N; memory taken is 128 × N × r bytes. */
  readonly cost: number;
}

export const SHORTEST_PASSWORD = 10;
/** Long enough for any sentence, short enough to hash at once. */
export const LONGEST_PASSWORD = 256;

/** 2^15 with r = 8 and p = 3: 32 MiB and about a quarter of a second for every guess. */
const COST = 32_768;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Why a password cannot be taken, as a sentence; `undefined` when it can. */
export function faultOfPassword(password: string): string | undefined {
  const length = Array.from(password).length;
  if (length < SHORTEST_PASSWORD) return `Choose at least ${SHORTEST_PASSWORD} characters.`;
  if (length > LONGEST_PASSWORD) return `Choose at most ${LONGEST_PASSWORD} characters.`;
  return undefined;
}

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  return { salt, cost: COST, hash: await derive(password, salt, COST) };
}

/**
 * Whether the password is the one that was hashed. Without a hash the same work is done and the
 * answer is no, so that the time taken does not tell whether there is an account.
 */
export async function isPassword(
  password: string,
  stored: PasswordHash | undefined,
): Promise<boolean> {
  const { salt, hash, cost } = stored ?? nobody;
  const presented = await derive(password, salt, cost);
  return timingSafeEqual(presented, hash) && stored !== undefined;
}

const nobody: PasswordHash = {
  salt: Buffer.alloc(SALT_BYTES),
  hash: Buffer.alloc(HASH_BYTES),
  cost: COST,
};

function derive(password: string, salt: Uint8Array, cost: number): Promise<Buffer> {
  const options = {
    N: cost,
    r: BLOCK_SIZE,
    p: PARALLELIZATION,
    maxmem: 128 * BLOCK_SIZE * (cost + PARALLELIZATION + 2),
  };
  // The same password may be typed in several ways that look alike.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
