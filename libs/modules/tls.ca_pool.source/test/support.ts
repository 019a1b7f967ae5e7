/** Test helpers for CA pools, and an HTTP server that serves certificates. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { caPoolSources, type CaPool } from '@sluice/contracts';
import type { JsonObject } from '@sluice/base';
import { provision, refusal, type Provisioned, type ProvisionOptions } from '@sluice/testing';
import { register } from '../src/index.ts';

type Settings = Partial<ProvisionOptions>;

export const pool = (config: JsonObject, settings: Settings = {}): Promise<Provisioned<CaPool>> =>
  provision(caPoolSources, config, {
    key: 'provider',
    ...settings,
    register: [register, ...(settings.register ?? [])],
  });

/** Returns the certificates that a CA pool source provides. */
export async function certificatesOf(config: JsonObject, settings: Settings = {}): Promise<readonly string[]> {
  const { instance, close } = await pool(config, settings);
  const { certificates } = instance;
  await close();
  return certificates;
}

export const refused = (config: JsonObject, settings: Settings = {}): Promise<string> =>
  refusal(caPoolSources, config, { key: 'provider', ...settings, register: [register, ...(settings.register ?? [])] });

/** Starts a server that responds to each path with a status, a body and an optional Location header. */
export async function responding(
  responses: Readonly<Record<string, readonly [number, string, string?]>>,
): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const [status, body, location] = responses[request.url ?? ''] ?? [404, 'nothing here'];
    if (location !== undefined) response.setHeader('Location', location);
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}
