/**
 * Another user of this computer can take the port of a web host that has ended. So the page sends
 * nothing before the host has proved that it has the secret of the same data folder
 * (`host/run-names.ts`, `abuse.md` 62).
 */
import type { PageAnswer } from '../../contract/page-answer.ts';

/** How long a host may take to prove that it is genuine, in milliseconds. */
const MAX_PROOF_MS = 10_000;

/** Bytes of the initialisation vector before a sealed answer. */
const IV_BYTES = 12;

/** Something answered at the page's address, and is not Spool. */
export class UnverifiedHostError extends Error {}

/** The page's run has ended, and the current one has another address. */
export class MovedError extends Error {
  /** Opens the page of the current run, once. */
  readonly link: string;

  constructor(link: string) {
    super('Spool was restarted.');
    this.link = link;
  }
}

/**
 * Opens a WebSocket to the host that served this page.
 *
 * @param address of the host's `/rpc`
 * @param key of the page, 64 hex digits, from the document that the host served
 * @throws {UnverifiedHostError} when something else accepted the connection
 * @throws {MovedError} when another run of the same data folder did
 */
export async function openVerified(address: URL, key: string): Promise<WebSocket> {
  const challenge = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  const socket = new WebSocket(new URL(`?challenge=${challenge}`, address));
  try {
    const proof = await firstMessage(socket);
    const answer = await unseal(proof, challenge, key);
    if (answer.kind === 'here') return socket;
    throw new MovedError(answer.link);
  } catch (error) {
    socket.close();
    throw error;
  }
}

function firstMessage(socket: WebSocket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let isOpen = false;
  const timer = setTimeout(() => {
    reject(new UnverifiedHostError('It sent no proof in time.'));
  }, MAX_PROOF_MS);
  socket.addEventListener('open', () => (isOpen = true), { once: true });
  socket.addEventListener(
    'message',
    ({ data }) => {
      if (typeof data === 'string') resolve(data);
      else reject(new UnverifiedHostError('It sent no proof.'));
    },
    { once: true },
  );
  socket.addEventListener(
    'close',
    () => {
      reject(isOpen ? new UnverifiedHostError('It sent no proof.') : new Error('It is closed.'));
    },
    { once: true },
  );
  return promise.finally(() => {
    clearTimeout(timer);
  });
}

/** A program without the key cannot write an answer, and each answer is for one challenge. */
async function unseal(proof: string, challenge: string, key: string): Promise<PageAnswer> {
  try {
    const bytes = bytesOf(proof);
    const algorithm = {
      name: 'AES-GCM',
      iv: bytes.subarray(0, IV_BYTES),
      additionalData: new TextEncoder().encode(challenge),
    };
    const imported = await crypto.subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, [
      'decrypt',
    ]);
    const answer = await crypto.subtle.decrypt(algorithm, imported, bytes.subarray(IV_BYTES));
    return JSON.parse(new TextDecoder().decode(answer)) as PageAnswer;
  } catch {
    throw new UnverifiedHostError('Its proof is wrong.');
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
