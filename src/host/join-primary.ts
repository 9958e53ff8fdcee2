import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { ResponseValidationPlugin } from '@orpc/contract/plugins';
import { WebSocket, type ClientOptions } from 'ws';
import type { Client } from '../contract/contract.ts';
import { userMessage } from '../contract/user-message.ts';
import type { Clock } from '../engine/clock.ts';
import { EngineError } from '../engine/engine-error.ts';
import { failureOf } from './failures.ts';
import { Heartbeat } from './heartbeat.ts';
import type { ObservableValue } from './observable-value.ts';
import { publishedAddress, type PrimaryAddress } from './primary-address.ts';
import {
  FOLDER_HEADER,
  PRIMARY_HOST,
  SERVICE_HEADER,
  primaryContract,
  primaryProcessSchema,
  type PrimaryProcess,
  type PrimaryClient,
  type UsedService,
  type WantedService,
} from './primary-contract.ts';
import { MAX_MESSAGE_BYTES } from './serve-contract.ts';

/**
 * Milliseconds. A primary process that is busy with a large batch answers late; a hanging one
 * never.
 */
const CONNECT_TIMEOUT_MS = 15_000;

type LinkSocket = ConstructorParameters<typeof RPCLink>[0]['websocket'];

/** A connection to the engine of another process. */
export interface PrimaryConnection {
  readonly primary: PrimaryProcess;
  readonly client: Client;
  readonly use: (wanted: WantedService) => Promise<UsedService>;
  /** Resolves when the connection is closed by either side. */
  readonly ended: Promise<void>;
  /** Whether the connection is closed. Changes synchronously, before `ended` resolves. */
  readonly hasEnded: boolean;
  /**
   * Whether the primary process answers. A stopped or hanging process keeps its connection but does
   * not answer.
   */
  readonly answering: ObservableValue<boolean>;
  /** Closes the connection; the primary process keeps running. */
  close(): void;
}

/** A process listens at the primary process's address, but its answer is not understood. */
export class PrimaryUnreadableError extends EngineError {
  constructor(cause: unknown) {
    super({ code: 'in-use', ...userMessage('primary-unreachable') }, { cause });
  }
}

/** The primary process has no session for the service that the connection is about. */
export class NoSessionError extends EngineError {}

/**
 * The primary process accepts connections but does not answer: it is stopped or hangs. It may
 * continue at any time.
 */
export class PrimarySilentError extends EngineError {
  constructor() {
    super({ code: 'in-use', ...userMessage('primary-silent') });
  }
}

/**
 * Connects to the primary process of a data folder for one service, for which that process opens a
 * session if it has none. The connection keeps its service when another one is shown.
 *
 * @param check throws when this process must not use the service's present settings
 * @throws {EngineError} when no session can be opened
 */
export async function joinPrimaryFor(
  wanted: WantedService,
  check: (primary: PrimaryProcess) => void,
  dataDir: string,
  clock: Clock,
): Promise<PrimaryConnection | null> {
  const first = await joinPrimary(dataDir, clock);
  if (first === null) return null;
  try {
    const used = await first.use(wanted);
    check(used);
    return await joinPrimary(dataDir, clock, used.origin);
  } finally {
    first.close();
  }
}

/**
 * Connects to the primary process of a data folder; `null` when none is running, for example when a
 * killed one left its address behind, or the folder is a copy of one with a primary process.
 *
 * @param origin of the service that the connection is about; `null` for the one that is shown
 * @throws {NoSessionError}
 * @throws {PrimaryUnreadableError}
 * @throws {PrimarySilentError} after 15 seconds
 */
export async function joinPrimary(
  dataDir: string,
  clock: Clock,
  origin: string | null = null,
): Promise<PrimaryConnection | null> {
  const published = await publishedAddress(dataDir);
  if (published === null) return null;
  const socket = open(published, origin);
  const timer = new AbortController();
  const timeout = clock.sleep(CONNECT_TIMEOUT_MS, timer.signal).then(() => 'silent' as const);
  timeout.catch(() => undefined);
  try {
    return await Promise.race([timeout, handshake(socket, clock)]).then((connection) => {
      if (connection === 'silent') throw new PrimarySilentError();
      return connection;
    });
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    timer.abort();
  }
}

async function handshake(socket: WebSocket, clock: Clock): Promise<PrimaryConnection | null> {
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const isOpen = await Promise.race([
    new Promise<true>((resolve) => socket.once('open', () => resolve(true))),
    ended.then(() => false as const),
  ]);
  if (!isOpen) return null;
  const link = new RPCLink({
    websocket: dropSendsWhileClosing(socket),
    plugins: [new ResponseValidationPlugin(primaryContract)],
  });
  const client: PrimaryClient = createORPCClient(link);
  try {
    const primary = primaryProcessSchema.parse(await client.owner());
    const answering = watchAnswering(socket, clock);
    return {
      primary,
      client,
      use: (wanted) => client.use(wanted),
      ended,
      get hasEnded() {
        return socket.readyState !== WebSocket.OPEN;
      },
      answering,
      // Closing politely waits for the other side's close frame, which a silent process never
      // sends.
      close: () => (answering.value ? socket.close() : socket.terminate()),
    };
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.code === 'not-possible-now') throw new NoSessionError(failure);
    throw new PrimaryUnreadableError(error);
  }
}

/** Whether the other process still answers, until the connection closes. */
function watchAnswering(socket: WebSocket, clock: Clock): ObservableValue<boolean> {
  const heartbeat = new Heartbeat(clock, () => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  });
  for (const event of ['pong', 'message'] as const)
    socket.on(event, () => heartbeat.recordActivity());
  socket.once('close', () => heartbeat.stop());
  return heartbeat.answering;
}

/**
 * The socket for an RPC link. Messages sent while it closes are dropped: their calls fail when it
 * has closed, and an error thrown by `send` would be unhandled.
 */
function dropSendsWhileClosing(socket: WebSocket): LinkSocket {
  return {
    get readyState() {
      return socket.readyState === WebSocket.CLOSING ? WebSocket.OPEN : socket.readyState;
    },
    send(message) {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(message as Parameters<WebSocket['send']>[0]);
    },
    // The same methods; only the types of their options differ.
    addEventListener: socket.addEventListener.bind(socket) as LinkSocket['addEventListener'],
    removeEventListener: socket.removeEventListener.bind(
      socket,
    ) as LinkSocket['removeEventListener'],
  };
}

function open(
  { address, folder }: Pick<PrimaryAddress, 'address' | 'folder'>,
  origin: string | null,
): WebSocket {
  const options: ClientOptions = {
    headers: { [FOLDER_HEADER]: folder, ...(origin !== null && { [SERVICE_HEADER]: origin }) },
    createConnection: () => connect(address),
    maxPayload: MAX_MESSAGE_BYTES,
  };
  const socket = new WebSocket(`ws://${PRIMARY_HOST}/`, options);
  // A broken connection is closed, and `close` is handled.
  socket.on('error', () => undefined);
  return socket;
}
