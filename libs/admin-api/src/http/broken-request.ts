/** Responds to requests that the HTTP parser rejects. Writes to the raw socket, because these requests have no request object. */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from './send.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Buffer;
}

/** Response status and message for each known parser error code. The server responds to other errors with status 400. */
const known: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request header is too large: send fewer or shorter fields'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the body are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request was not received in time'],
};

/** HTTP methods of the admin API. The parser rejects an unknown method before it reads the path. */
const allMethods = 'DELETE, GET, PATCH, POST, PUT';

/** Handles the server's `clientError` event. Responds with 405 instead of 400 to a method that the parser doesn't support. */
export function refuseBrokenRequest(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || error.code === 'HPE_CLOSED_CONNECTION' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const method =
    error.code === 'HPE_INVALID_METHOD'
      ? /^[!#$%&'*+.^_`|~\w-]+(?= [/*h])/.exec(error.rawPacket?.toString('latin1') ?? '')
      : null;
  if (method !== null) refuseMethod(socket, method[0]);
  else {
    const fallback = [400, `the request is not valid HTTP: ${error.reason ?? error.message}`] as const;
    end(socket, ...(known[error.code ?? ''] ?? fallback));
  }
}

/** Handles the server's `connect` event by rejecting the CONNECT request. */
export function refuseConnect(request: IncomingMessage, socket: Duplex): void {
  refuseMethod(socket, request.method ?? 'CONNECT');
}

function refuseMethod(socket: Duplex, method: string): void {
  end(socket, 405, `method ${method} not allowed`, `Allow: ${allMethods}\r\n`);
}

function end(socket: Duplex, status: number, message: string, fields = ''): void {
  const body = errorBody(message);
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
