import type { WebSocket } from 'ws';

/** Limit of bytes that wait in this process for one client to read them. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/**
 * Sends to a WebSocket client, and disconnects a client that sends calls without reading the
 * answers: WebSockets have no backpressure, so the answers would fill this process's memory. A
 * single message may exceed the limit.
 */
export function boundedSend(socket: WebSocket): (message: Message) => void {
  return (message) => {
    const waiting = socket.bufferedAmount;
    if (waiting > 0 && waiting + byteLength(message) > MAX_UNREAD_BYTES) socket.terminate();
    else socket.send(message);
  };
}

type Message = Parameters<WebSocket['send']>[0];

function byteLength(message: Message): number {
  if (typeof message === 'string') return Buffer.byteLength(message);
  return typeof message === 'object' && 'byteLength' in message ? message.byteLength : 0;
}
