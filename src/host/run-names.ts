/**
 * Every run of the web host has a host name that no program knew before, so that no page, service worker
 * or cache of another program can belong to its origin (`abuse.md` 61); and every page of a run has a
 * key, by which it recognises a later run of the same data folder (`abuse.md` 62).
 * docs/decisions/0016-origins-of-the-web-host.md has the reasons.
 */
import { createCipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PageAnswer } from '../contract/page-answer.ts';

const FILE = 'web-secret';

/** Bytes of the random half of a name; the other half is its authentication. Both are hexadecimal. */
const HALF_BYTES = 12;
const NAME = new RegExp(`^([0-9a-f]{${2 * HALF_BYTES}})([0-9a-f]{${2 * HALF_BYTES}})\\.localhost$`);

export class RunNames {
  readonly #secret: Buffer;

  /** @param secret 32 random bytes that only this user can read */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** A name that has never been used. Browsers resolve all names below `localhost` to loopback. */
  create(): string {
    const random = randomBytes(HALF_BYTES).toString('hex');
    return `${random}${this.#authentication(random)}.localhost`;
  }

  /** Whether `create` made the name, in this or an earlier run. */
  isOurs(name: string): boolean {
    const [, random, given] = NAME.exec(name) ?? [];
    if (random === undefined || given === undefined) return false;
    return timingSafeEqual(Buffer.from(given), Buffer.from(this.#authentication(random)));
  }

  /** The secret of a name's pages, 32 bytes. Pages keep it in memory only. */
  pageKey(name: string): Buffer {
    return this.#derive(`page ${name}`);
  }

  /**
   * An answer that only the pages of a name can read, and only a holder of the secret can write: by
   * AES-256-GCM, whose initialisation vector is random here and whose additional data is the page's
   * challenge, so that no recorded answer is valid twice.
   */
  seal(name: string, challenge: string, answer: PageAnswer): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.pageKey(name), iv);
    cipher.setAAD(Buffer.from(challenge));
    const sealed = [cipher.update(JSON.stringify(answer)), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([iv, ...sealed]).toString('hex');
  }

  #authentication(random: string): string {
    return this.#derive(`name ${random}`).toString('hex', 0, HALF_BYTES);
  }

  #derive(purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(purpose).digest();
  }
}

/** The data folder's secret; made at first use. If it cannot be stored, it lasts for this run. */
export async function webSecret(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, FILE);
  const made = randomBytes(32);
  // `wx`: of two processes that start at once, both take the secret of the first one.
  await writeFile(file, `${made.toString('hex')}\n`, { flag: 'wx', mode: 0o600 }).catch(
    () => undefined,
  );
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^[0-9a-f]{64}\n$/.test(text) ? Buffer.from(text.trim(), 'hex') : made;
}
