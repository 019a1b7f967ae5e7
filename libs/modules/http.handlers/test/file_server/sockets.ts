/** A server with a listening socket, and clients that control when they read. */
import { get, type Agent, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpApp, Listener, type Server } from '@sluice/http-app';
import { silentLogger } from '@sluice/base';
import type { TestServer } from '@sluice/testing';

export interface ListeningServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function listen(server: TestServer): Promise<ListeningServer> {
  const address = { network: 'tcp', host: '127.0.0.1', startPort: 0, endPort: 0, mode: null } as const;
  const listener = await Listener.open({ address, reusePort: false, log: silentLogger });
  listener.target = server.runtime.app(httpApp)?.servers.values().next().value as Server;
  return { port: (listener.address as AddressInfo).port, close: () => listener.close() };
}

/** Sends a request but does not read the response body yet. */
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

export async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
