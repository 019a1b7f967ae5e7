/** An ACME server over HTTPS on a loopback address, and ACME clients. Validations resolve every name to the loopback address. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { internet, type ValidationNetwork } from '@sluice/acme';
import { register, validationNetworkToken } from '@sluice/http.handlers';
import { pkiApp, register as pki } from '@sluice/pki-app';
import type { JsonObject } from '@sluice/base';
import type { Registry, Token } from '@sluice/registry';
import type { Storage } from '@sluice/contracts';
import { freePort, MemoryStorage, registerStorage, serve, type TestServer } from '@sluice/testing';

/** Registers the modules required by the tests, with in-memory storage instead of files. */
export function withStorage(storage: Storage): (registry: Registry) => void {
  return (registry) => registry.use(registerStorage(storage)).use(pki).use(register);
}

/** Returns a configuration document with one ACME server. */
export function documentOf(handler: JsonObject = {}): JsonObject {
  const routes = [{ handle: [{ handler: 'acme_server', ...handler }] }];
  return { storage: { module: 'memory' }, apps: { http: { servers: { s: { routes } } } } };
}

/** Returns a network in which every name resolves to this machine. */
function loopback(httpPort: number, tlsPort: number): ValidationNetwork {
  return {
    ...internet(),
    httpPort,
    tlsPort,
    pauses: [200, 500, 1000],
    lookup: (_, { all }, callback) =>
      all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  };
}

/** A running ACME server. Close it at the end of the test. */
export interface Bench {
  readonly directory: string;
  readonly storage: MemoryStorage;
  readonly server: TestServer;
  /** File with the root certificate that clients must trust. */
  readonly rootFile: string;
  /** An empty directory for the ACME client. */
  readonly folder: string;
  /** Ports on which the ACME client answers validations. */
  readonly httpPort: number;
  readonly tlsPort: number;
  close(): Promise<void>;
}

/** Starts an ACME server. */
export async function startBench(handler: JsonObject = {}): Promise<Bench> {
  const storage = new MemoryStorage();
  const [httpPort, tlsPort] = [await freePort(), await freePort()];
  const services = new Map<Token<unknown>, unknown>([[validationNetworkToken, loopback(httpPort, tlsPort)]]);
  const server = await serve(documentOf(handler), { register: [withStorage(storage)], services });
  const authority = await server.runtime.app(pkiApp)?.authority('local');
  if (authority === null || authority === undefined) throw new Error('there is no authority');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { chain } = await authority.issue({ subject: { publicKey }, names: ['localhost'] });
  const front = await listen(server, chain, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const folder = mkdtempSync(join(tmpdir(), 'sluice-acme-'));
  const rootFile = join(folder, 'root.crt');
  writeFileSync(rootFile, authority.rootCertificate);
  return {
    directory: `https://localhost:${(front.address() as AddressInfo).port}/acme/local/directory`,
    storage,
    server,
    rootFile,
    folder,
    httpPort,
    tlsPort,
    async close() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Terminates TLS in front of a server that runs in this process. */
async function listen(server: TestServer, cert: string, key: string): Promise<Server> {
  const front = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url: path = '/', headers } = request;
      const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      const what = { method, path, host: headers.host ?? '', headers: fields, body: Buffer.concat(chunks) };
      void server.request(what).then((received) => {
        for (const [name, value] of received.headers) response.appendHeader(name, value);
        return response.writeHead(received.status).end(method === 'HEAD' ? undefined : received.body);
      });
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return front;
}

export function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 40_000,
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.on('error', reject);
  child.on('close', (code) => {
    if (code === 0) resolve(said);
    else reject(new Error(`${command} ended with ${code}:\n${said}`));
  });
  return promise;
}
