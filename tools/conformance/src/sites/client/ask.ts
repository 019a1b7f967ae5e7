/** Sends a request to a test site, using the protocol of the request. */
import type { SiteRequest } from '../step.ts';
import { askHttp1 } from './http1.ts';
import { askHttp2 } from './http2.ts';
import { codeOf, open, type Place } from './opened.ts';
import { askWebSocket } from './websocket.ts';

/** Sends a request. Returns lines that describe the TLS handshake and the response. */
export async function ask(request: SiteRequest, place: Place): Promise<string[]> {
  const { lines, socket } = await open(request, place);
  if (socket === null) return [...lines];
  if (request.transport === 'tls') return [...lines, await ending(socket)];
  if (request.transport === 'h2' || request.transport === 'h2c')
    return [...lines, ...(await askHttp2(socket, request))];
  if (request.transport === 'ws' || request.transport === 'wss')
    return [...lines, ...(await askWebSocket(socket, request))];
  return [...lines, ...(await askHttp1(socket, request))];
}

/**
 * Time to observe a connection after its TLS handshake, in milliseconds. A client learns only after the handshake whether the server
 * accepts its certificate.
 */
const watched = 200;

function ending(socket: NonNullable<Awaited<ReturnType<typeof open>>['socket']>): Promise<string> {
  return new Promise((resolve) => {
    const done = (how: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(how);
    };
    const timer = setTimeout(() => done('open'), watched);
    socket.on('error', (error) => done(codeOf(error)));
    socket.on('close', () => done('closed'));
    socket.resume();
  });
}
