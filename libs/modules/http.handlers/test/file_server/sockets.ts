/** A test's server behind a socket, and clients that read as they please. */
import { get, type Agent, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpApp, Listener, type Server } from '@sluice/http-app';
import { silentLogger } from '@sluice/base';
import type { TestServer } from '@sluice/testing';

/** A server that listens on a free port. */
export interface ListeningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for a server. */
export async function listen(server: TestServer): Promise<ListeningServer> {
  const address = { network: 'tcp', host: '127.0.0.1', startPort: 0, endPort: 0, mode: null } as const;
  const listener = await Listener.open({ address, reusePort: false, log: silentLogger });
  listener.target = server.runtime.app(httpApp)?.servers.values().next().value as Server;
  return { port: (listener.address as AddressInfo).port, close: () => listener.close() };
}

/** Begins a request; the body waits to be read. */
export function begin(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  agent: Agent | false = false,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers, agent }, resolve).on('error', reject);
  });
}

/** Reads a body to its end. */
export async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
