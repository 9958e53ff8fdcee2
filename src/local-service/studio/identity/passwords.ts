import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { HashParameters, PasswordHash } from '../../accounts/password-records.ts';

export const MIN_PASSWORD = 10;
/** Long enough for any sentence, short enough to hash quickly. */
export const MAX_PASSWORD = 256;

/** Every guess takes 32 MiB and about a quarter of a second. */
export const DEFAULT_HASHING: HashParameters = { cost: 32_768, blockSize: 8, parallelization: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Why a password is not accepted, as a sentence; `undefined` if it is. */
export function issueOfPassword(password: string): string | undefined {
  const length = Array.from(password).length;
  if (length < MIN_PASSWORD) return `Choose at least ${MIN_PASSWORD} characters.`;
  if (length > MAX_PASSWORD) return `Choose at most ${MAX_PASSWORD} characters.`;
  return undefined;
}

export async function hashPassword(
  password: string,
  parameters = DEFAULT_HASHING,
): Promise<PasswordHash> {
  const { cost, blockSize, parallelization } = parameters;
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, parameters);
  return { cost, blockSize, parallelization, salt, hash };
}

/** Whether a password should be hashed again, because its hash has other parameters. */
export function isOutdated(stored: PasswordHash, parameters = DEFAULT_HASHING): boolean {
  return (
    stored.cost !== parameters.cost ||
    stored.blockSize !== parameters.blockSize ||
    stored.parallelization !== parameters.parallelization ||
    stored.hash.length !== HASH_BYTES ||
    stored.salt.length !== SALT_BYTES
  );
}

/**
 * Whether the password matches the hash. Without a hash it does the same work and returns false, so
 * that the duration does not reveal whether an account exists.
 */
export async function isPassword(
  password: string,
  stored: PasswordHash | undefined,
  parameters = DEFAULT_HASHING,
): Promise<boolean> {
  const { salt, hash } = stored ?? noPassword;
  const presented = await derive(password, salt, hash.length, stored ?? parameters);
  return timingSafeEqual(presented, hash) && stored !== undefined;
}

const noPassword = {
  salt: Buffer.alloc(SALT_BYTES),
  hash: Buffer.alloc(HASH_BYTES),
};

function derive(
  password: string,
  salt: Uint8Array,
  bytes: number,
  { cost, blockSize, parallelization }: HashParameters,
): Promise<Buffer> {
  const options = {
    N: cost,
    r: blockSize,
    p: parallelization,
    maxmem: 128 * blockSize * (cost + parallelization + 2),
  };
  // The same password may be typed as different sequences of characters that look alike.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, bytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
