import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { ResponseValidationPlugin } from '@orpc/contract/plugins';
import { WebSocket, type ClientOptions } from 'ws';
import type { Client } from '../contract/contract.ts';
import { tell } from '../contract/told.ts';
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

type LinkSocket = ConstructorParameters<typeof RPCLink>[0]['websocket'];

/** The engine of another process, as a second one has it. */
export interface JoinedOwner {
  readonly owner: Owner;
  readonly client: Client;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
  /** Whether it is gone, from that very moment on. */
  readonly hasEnded: boolean;
  /** Leaves the owner as it is. */
  close(): void;
}

/** Something listens where the owner does, and is not to be understood. */
export class OwnerUnreadableError extends EngineError {
  constructor(cause: unknown) {
    super({ code: 'in-use', ...tell('owner-mute') }, { cause });
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
    websocket: quietlyClosing(socket),
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
      get hasEnded() {
        return socket.readyState !== WebSocket.OPEN;
      },
      close: () => socket.close(),
    };
  } catch (error) {
    socket.terminate();
    throw new OwnerUnreadableError(error);
  }
}

/**
 * The socket as a link has it. What is said while it closes is lost with it, and its calls hear of
 * that when it is closed; an error of its own would have nobody to hear it.
 */
function quietlyClosing(socket: WebSocket): LinkSocket {
  return {
    get readyState() {
      return socket.readyState === WebSocket.CLOSING ? WebSocket.OPEN : socket.readyState;
    },
    send(message) {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(message as Parameters<WebSocket['send']>[0]);
    },
    // The same methods; only the types of their options are told apart.
    addEventListener: socket.addEventListener.bind(socket) as LinkSocket['addEventListener'],
    removeEventListener: socket.removeEventListener.bind(
      socket,
    ) as LinkSocket['removeEventListener'],
  };
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
