import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { ResponseValidationPlugin } from '@orpc/contract/plugins';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import type { Client } from '../contract/contract.ts';
import { EngineError } from '../engine/engine-error.ts';
import { publishedAddress } from './owner-address.ts';
import {
  OWNER_HOST,
  ownerContract,
  ownerSchema,
  type Owner,
  type OwnerClient,
} from './owner-contract.ts';
import { LONGEST_MESSAGE_BYTES } from './router.ts';

/** An owner that is busy with a large batch answers late; one that hangs never does. */
const ANSWER_WITHIN_MS = 15_000;

/** The engine of another process, as a second one has it. */
export interface JoinedOwner {
  readonly owner: Owner;
  readonly client: Client;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
  /** Has the owner answer a page that another process serves, until either goes away. */
  relay(page: WebSocket): void;
  /** Leaves the owner as it is. */
  close(): void;
}

/** Something listens where the owner does, and is not to be understood. */
export class OwnerUnreadableError extends EngineError {
  constructor(cause: unknown) {
    const message =
      'Spool is already running with this data folder, and does not answer: it may be another version, or busy. Close it, or try again.';
    super({ code: 'in-use', message }, { cause });
  }
}

/**
 * Connects to whichever process owns a data folder; `null` when none answers there, such as one
 * that was killed and left its address behind.
 *
 * @throws {OwnerUnreadableError}
 */
export async function joinOwner(dataDir: string): Promise<JoinedOwner | null> {
  const address = await publishedAddress(dataDir);
  if (address === null) return null;
  const socket = open(address);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const impatience = setTimeout(() => socket.terminate(), ANSWER_WITHIN_MS);
  const isOpen = await Promise.race([
    new Promise<true>((resolve) => socket.once('open', () => resolve(true))),
    ended.then(() => false as const),
  ]);
  clearTimeout(impatience);
  if (!isOpen) return null;
  const link = new RPCLink({
    // The same methods; only the types of their options are told apart.
    websocket: socket as object as globalThis.WebSocket,
    plugins: [new ResponseValidationPlugin(ownerContract)],
  });
  const client: OwnerClient = createORPCClient(link);
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const owner = ownerSchema.parse(await client.owner(undefined, { signal }));
    return {
      owner,
      client,
      ended,
      relay: (page) => relay(page, open(address)),
      close: () => socket.close(),
    };
  } catch (error) {
    socket.terminate();
    throw new OwnerUnreadableError(error);
  }
}

function open(address: string): WebSocket {
  const options: ClientOptions = {
    createConnection: () => connect(address),
    maxPayload: LONGEST_MESSAGE_BYTES,
  };
  const socket = new WebSocket(`ws://${OWNER_HOST}/`, options);
  // What breaks is closed, and that is listened for.
  socket.on('error', () => undefined);
  return socket;
}

/** What each says goes to the other as it is: it is the same contract on both sides. */
function relay(page: WebSocket, owner: WebSocket): void {
  const unsaid: { readonly data: RawData; readonly isBinary: boolean }[] = [];
  page.on('error', () => undefined);
  page.on('message', (data, isBinary) => {
    if (owner.readyState === WebSocket.CONNECTING) unsaid.push({ data, isBinary });
    else owner.send(data, { binary: isBinary });
  });
  owner.once('open', () => {
    for (const { data, isBinary } of unsaid) owner.send(data, { binary: isBinary });
  });
  owner.on('message', (data, isBinary) => page.send(data, { binary: isBinary }));
  page.once('close', () => owner.close());
  owner.once('close', () => page.close());
}
