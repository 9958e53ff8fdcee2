import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { ResponseValidationPlugin } from '@orpc/contract/plugins';
import { WebSocket, type ClientOptions } from 'ws';
import type { Client } from '../contract/contract.ts';
import { userMessage } from '../contract/user-message.ts';
import type { Clock } from '../engine/clock.ts';
import { EngineError } from '../engine/engine-error.ts';
import { Heartbeat } from './heartbeat.ts';
import type { ObservableValue } from './observable-value.ts';
import { publishedAddress } from './primary-address.ts';
import {
  PRIMARY_HOST,
  primaryContract,
  primaryProcessSchema,
  type PrimaryProcess,
  type PrimaryClient,
} from './primary-contract.ts';
import { MAX_MESSAGE_BYTES } from './serve-contract.ts';

/** A primary process that is busy with a large batch answers late; one that hangs does not. */
const ANSWER_WITHIN_MS = 15_000;

type LinkSocket = ConstructorParameters<typeof RPCLink>[0]['websocket'];

/** The engine of another process, as a second one has it. */
export interface PrimaryConnection {
  readonly primary: PrimaryProcess;
  readonly client: Client;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
  /** Whether it is gone, from that very moment on. */
  readonly hasEnded: boolean;
  /**
   * Whether the primary process answers. One that was stopped, or hangs, keeps its connection and
   * is silent.
   */
  readonly answering: ObservableValue<boolean>;
  /** Leaves the primary process as it is. */
  close(): void;
}

/** Something listens where the primary process does, and is not to be understood. */
export class PrimaryUnreadableError extends EngineError {
  constructor(cause: unknown) {
    super({ code: 'in-use', ...userMessage('owner-mute') }, { cause });
  }
}

/**
 * The primary process is there and says nothing: somebody stopped it, or it hangs. It may go on any
 * moment.
 */
export class PrimarySilentError extends EngineError {
  constructor() {
    super({ code: 'in-use', ...userMessage('owner-silent') });
  }
}

/**
 * Connects to whichever process owns a data folder; `null` when none is there, such as one that was
 * killed and left its address behind.
 *
 * @throws {PrimaryUnreadableError}
 * @throws {PrimarySilentError} after 15 seconds
 */
export async function joinPrimary(
  dataDir: string,
  clock: Clock,
): Promise<PrimaryConnection | null> {
  const address = await publishedAddress(dataDir);
  if (address === null) return null;
  const socket = open(address);
  const patience = new AbortController();
  const late = clock.sleep(ANSWER_WITHIN_MS, patience.signal).then(() => 'silent' as const);
  late.catch(() => undefined);
  try {
    return await Promise.race([late, metOwner(socket, clock)]).then((met) => {
      if (met === 'silent') throw new PrimarySilentError();
      return met;
    });
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    patience.abort();
  }
}

async function metOwner(socket: WebSocket, clock: Clock): Promise<PrimaryConnection | null> {
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const isOpen = await Promise.race([
    new Promise<true>((resolve) => socket.once('open', () => resolve(true))),
    ended.then(() => false as const),
  ]);
  if (!isOpen) return null;
  const link = new RPCLink({
    websocket: quietlyClosing(socket),
    plugins: [new ResponseValidationPlugin(primaryContract)],
  });
  const client: PrimaryClient = createORPCClient(link);
  try {
    const primary = primaryProcessSchema.parse(await client.owner());
    const answering = answeringOf(socket, clock);
    return {
      primary,
      client,
      ended,
      get hasEnded() {
        return socket.readyState !== WebSocket.OPEN;
      },
      answering,
      // One that is silent would have us wait for its farewell.
      close: () => (answering.value ? socket.close() : socket.terminate()),
    };
  } catch (error) {
    throw new PrimaryUnreadableError(error);
  }
}

/** Whether somebody at the other end still answers, until the connection is gone. */
function answeringOf(socket: WebSocket, clock: Clock): ObservableValue<boolean> {
  const heartbeat = new Heartbeat(clock, () => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  });
  for (const sign of ['pong', 'message'] as const) socket.on(sign, () => heartbeat.heard());
  socket.once('close', () => heartbeat.stop());
  return heartbeat.answering;
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
    maxPayload: MAX_MESSAGE_BYTES,
  };
  const socket = new WebSocket(`ws://${PRIMARY_HOST}/`, options);
  // What breaks is closed, and that is listened for.
  socket.on('error', () => undefined);
  return socket;
}
