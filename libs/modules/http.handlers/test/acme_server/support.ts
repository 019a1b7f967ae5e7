/** An ACME server over https on loopback, whose validations look for every name at loopback, and clients to run. */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { internet, type ValidationNetwork } from '@sluice/acme';
import { register, validationNetworkToken } from '@sluice/http.handlers';
import { pkiApp, register as pki } from '@sluice/pki-app';
import {
  defineModule,
  options,
  storages,
  storageSection,
  type JsonObject,
  type Registry,
  type Storage,
  type Token,
} from '@sluice/registry';
import { serve, type TestServer } from '@sluice/testing';

/** Keeps values in a map; one lock for all. */
export class MemoryStorage implements Storage {
  readonly values: Map<string, string>;

  constructor(values: Map<string, string> = new Map()) {
    this.values = values;
  }

  load(key: string): Promise<Buffer | null> {
    const value = this.values.get(key);
    return Promise.resolve(value === undefined ? null : Buffer.from(value));
  }

  store(key: string, value: Buffer | string): Promise<void> {
    this.values.set(key, String(value));
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.values.delete(key);
    return Promise.resolve();
  }

  exists(key: string): Promise<boolean> {
    return Promise.resolve(this.values.has(key));
  }

  list(prefix: string): Promise<readonly string[]> {
    return Promise.resolve([...this.values.keys()].filter((key) => key.startsWith(`${prefix}/`)).sort());
  }

  stat(): Promise<null> {
    return Promise.resolve(null);
  }

  lock(): Promise<{ lost: AbortSignal; release: () => Promise<void> }> {
    return Promise.resolve({ lost: new AbortController().signal, release: () => Promise.resolve() });
  }
}

/** What tests register: the store in place of files. */
export function withStorage(storage: Storage): (registry: Registry) => void {
  const memory = defineModule(storages, { name: 'memory', help: '', config: options({}), provision: () => storage });
  return (registry) => registry.addSection(storageSection).use(pki).use(register).add(memory);
}

/** The document with one ACME server. */
export function documentOf(handler: JsonObject = {}): JsonObject {
  const routes = [{ handle: [{ handler: 'acme_server', ...handler }] }];
  return { storage: { module: 'memory' }, apps: { http: { servers: { s: { routes } } } } };
}

/** A network on which every name is this machine. */
export function loopback(httpPort: number, tlsPort: number): ValidationNetwork {
  return {
    ...internet(),
    httpPort,
    tlsPort,
    pauses: [200, 500, 1000],
    lookup: (_, { all }, callback) =>
      all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  };
}

/** An ACME server that clients can talk to. Close it at the end. */
export interface Bench {
  readonly directory: string;
  readonly storage: MemoryStorage;
  readonly server: TestServer;
  /** File with the root that clients have to trust. */
  readonly rootFile: string;
  /** An empty folder for the client. */
  readonly folder: string;
  /** Where validations look. */
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

/** TLS before the server in this process. */
async function listen(server: TestServer, cert: string, key: string): Promise<Server> {
  const front = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url: path = '/', headers } = request;
      const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      const what = { method, path, host: headers.host ?? '', headers: fields, body: Buffer.concat(chunks) };
      void server.request(what).then((answer) => {
        for (const [name, value] of answer.headers) response.appendHeader(name, value);
        return response.writeHead(answer.status).end(method === 'HEAD' ? undefined : answer.body);
      });
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return front;
}

/** A port that nobody listens at, for now. */
export async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The path of a command, or `null` where this machine has none. */
export function commandOf(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // It is in another folder, or nowhere.
    }
  }
  return null;
}

/** Runs a client to its end; rejects with what it said if it failed. */
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
