import {
  onMessagePortClose,
  onMessagePortMessage,
  postMessagePortMessage,
  type SupportedMessagePort,
} from '@orpc/client/message-port';
import { onError, ORPCError } from '@orpc/server';
import { RPCHandler as MessageHandler, type MinimalWebsocket } from '@orpc/server/websocket';
import type { WebSocket } from 'ws';
import { MAX_BATCH_BYTES } from '../contract/batch-limits.ts';
import { sanitizeRemoteText } from '../engine/sanitize-remote-text.ts';
import { boundedSend } from './bounded-send.ts';
import type { Router } from './router.ts';

/** Room for the largest batch and its options, as JSON in UTF-8: most characters take one byte. */
export const MAX_MESSAGE_BYTES = 2 * MAX_BATCH_BYTES;

/** Characters of the report about an unreadable message. */
const MAX_REASON_LENGTH = 200;

/** Receives errors that are not sent to the caller: defects, never a user's mistake. */
export type OnDefect = (error: unknown) => void;

/** Serves the contract over one WebSocket, until it closes. */
export function serveWebSocket(router: Router, webSocket: WebSocket, onDefect: OnDefect): void {
  const connection = answerMessages(router, boundedSend(webSocket), onDefect);
  webSocket.addEventListener('message', ({ data }) => void connection.receive(data));
  webSocket.addEventListener('close', () => connection.close());
}

/** Serves the contract over one message port, until it closes. The caller starts the port. */
export function serveMessagePort(
  router: Router,
  port: SupportedMessagePort,
  onDefect: OnDefect,
): void {
  const send: Send = (message) => postMessagePortMessage(port, message);
  const connection = answerMessages(router, send, onDefect);
  onMessagePortMessage(port, (data) => void connection.receive(data));
  onMessagePortClose(port, () => connection.close());
}

type Send = MinimalWebsocket['send'];

/**
 * Answers the messages of one connection. The library's adapters would print a stack trace for each
 * unreadable message, or leave an unhandled rejection that ends the process. Here the first one of
 * a connection is reported, in one line; other calls of the connection are still answered.
 */
function answerMessages(router: Router, send: Send, onDefect: OnDefect) {
  const socket = { send, addEventListener: () => undefined };
  const handler = new MessageHandler(router, { interceptors: [onError(reportDefect(onDefect))] });
  let isReported = false;
  return {
    async receive(data: unknown): Promise<void> {
      try {
        if (!isMessage(data)) throw new TypeError('It is neither text nor bytes.');
        await handler.message(socket, data);
      } catch (error) {
        if (isReported) return;
        isReported = true;
        const reason = sanitizeRemoteText(String(error), MAX_REASON_LENGTH);
        onDefect(`A client sent a message that cannot be read: ${reason}`);
      }
    },
    close(): void {
      handler.close(socket);
    },
  };
}

/** A port can pass any value. For a number, the library would allocate that many bytes. */
function isMessage(data: unknown): data is string | ArrayBuffer {
  return typeof data === 'string' || data instanceof ArrayBuffer || ArrayBuffer.isView(data);
}

function reportDefect(onDefect: OnDefect): (error: unknown) => void {
  return (error) => {
    if (error instanceof ORPCError && error.status < 500) return;
    onDefect(error);
  };
}
