/** Answers for what the HTTP parser refuses, written to the bare socket: no request has come of it. */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Statuses by error code; all else is 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** For the server's `clientError`. A method that the parser does not know is no broken request: it is not allowed. */
export function refuseBrokenRequest(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || error.code === 'HPE_CLOSED_CONNECTION' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const method =
    error.code === 'HPE_INVALID_METHOD'
      ? /^[!#$%&'*+.^_`|~\w-]+(?= [/*h])/.exec(error.rawPacket?.toString('latin1') ?? '')
      : null;
  if (method === null) refuse(socket, statuses[error.code ?? ''] ?? 400);
  else refuseMethod(socket, method[0]);
}

/** For the server's `connect`: a request for a tunnel. */
export function refuseConnect(request: IncomingMessage, socket: Duplex): void {
  refuseMethod(socket, request.method ?? 'CONNECT');
}

function refuse(socket: Duplex, status: number): void {
  end(socket, status, 'text/plain; charset=utf-8', `${status} ${STATUS_CODES[status] ?? ''}`);
}

function refuseMethod(socket: Duplex, method: string): void {
  end(socket, 405, 'application/json', `${JSON.stringify({ error: `method ${method} not allowed` })}\n`);
}

function end(socket: Duplex, status: number, type: string, body: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
