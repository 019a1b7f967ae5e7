/** Compares the rerouted requests that a dry run predicts with the requests that are actually rerouted when the change is applied. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TlsInfo } from '@sluice/contracts';
import { httpApp, type Server } from '@sluice/http-app';
import {
  freePort,
  makeExchange,
  serve,
  throwAwayCertificate,
  type MemoryResponse,
  type TestServer,
} from '@sluice/testing';
import { Random } from '../../differential/random.ts';
import {
  change,
  documentOf,
  type Files,
  firstConfiguration,
  hosts,
  loadedNames,
  paths,
  type Ports,
} from './configuration.ts';

export interface MoveComparison {
  changes: number;
  /** Number of compared requests. The next properties count rerouted requests, and requests whose result the dry run could not determine. */
  requests: number;
  moved: number;
  unknown: number;
  /** Number of requests that were redirected to HTTPS before or after the change. */
  redirected: number;
  readonly contradictions: object[];
}

interface Asked {
  readonly number: number;
  readonly port: number;
  readonly isTls: boolean;
  readonly method: string;
  readonly host: string;
  readonly path: string;
}

/** Observed parts of a response that identify the handler of a generated route. */
interface Seen {
  readonly status: number;
  readonly body: string;
}

interface Told {
  readonly compared: number;
  readonly unknown: number;
  readonly count: number;
  readonly elsewhere: readonly {
    readonly request: { readonly url: string };
    readonly before: object;
    readonly after: object;
  }[];
}

const perChange = 12;

/** Applies changes one after another. Stops after five contradictions. */
export async function compareMoves(seed: number, changes: number): Promise<MoveComparison> {
  const random = new Random(seed);
  const ports: Ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const storage = mkdtempSync(join(tmpdir(), 'moves-'));
  const { cert, key } = await throwAwayCertificate(loadedNames);
  const files: Files = { storage, loaded: { certificate: cert, key } };
  const found: MoveComparison = { changes: 0, requests: 0, moved: 0, unknown: 0, redirected: 0, contradictions: [] };
  const made = firstConfiguration(random, ports);
  const server = await serve(documentOf(made, files), { register: [], standard: true });
  try {
    while (found.changes < changes && found.contradictions.length < 5) {
      const before = documentOf(made, files);
      change(random, ports, made);
      const after = documentOf(made, files);
      await compareOne(server, { before, after, asked: requestsOf(random, ports) }, found);
      found.changes++;
    }
  } finally {
    await server.close();
    rmSync(storage, { recursive: true });
  }
  return found;
}

function requestsOf(random: Random, ports: Ports): readonly Asked[] {
  return Array.from({ length: perChange }, (_, number) => {
    const port = random.pick(ports);
    const host = random.pick(hosts);
    return {
      number,
      port,
      isTls: random.chance(0.5),
      method: random.pick(['GET', 'GET', 'POST', 'DELETE']),
      host: random.chance(0.5) ? host : `${host}:${port}`,
      path: random.pick(paths),
    };
  });
}

interface Compared {
  readonly before: object;
  readonly after: object;
  readonly asked: readonly Asked[];
}

async function compareOne(
  server: TestServer,
  { before, after, asked }: Compared,
  found: MoveComparison,
): Promise<void> {
  const { id } = (await server.admin('/traces', { json: { count: 100 } })).json() as { id: string };
  const now = new Map<number, Seen>();
  for (const each of asked) {
    // The server records only requests that reach one of its listeners.
    if (serverAt(server, each.port)?.speaks !== each.isTls) continue;
    now.set(each.number, await play(server, each));
  }
  const response = await server.admin('/load?dry_run', { json: after });
  if (response.status !== 200) throw new Error(`the change is refused: ${response.text}`);
  const { requests: reported } = response.json() as { requests?: Told };
  await server.admin(`/traces?id=${id}`, { method: 'DELETE' });
  const applied = await server.admin('/load', { json: after });
  if (applied.status !== 200) throw new Error(`the change is refused: ${applied.text}`);
  if (reported === undefined) return;
  found.unknown += reported.unknown;
  // The dry run checks recorded requests from newest to oldest until its time limit.
  const recorded = asked
    .filter(({ number }) => now.has(number))
    .toReversed()
    .slice(0, reported.compared);
  for (const each of recorded) {
    found.requests++;
    const was = now.get(each.number) as Seen;
    const is = await play(server, each);
    if (was.status === 308 || is.status === 308) found.redirected++;
    const hasMoved = was.status !== is.status || was.body !== is.body;
    if (hasMoved) found.moved++;
    const tells = reported.elsewhere.find(({ request }) => request.url.endsWith(`?n=${each.number}`));
    if ((tells !== undefined) === hasMoved) continue;
    if (tells === undefined && reported.unknown > 0) continue;
    found.contradictions.push({ asked: each, was, is, tells: tells ?? null, before, after });
  }
}

function serverAt(
  server: TestServer,
  port: number,
): { readonly server: Server; readonly speaks: boolean | null } | null {
  for (const each of server.runtime.app(httpApp)?.servers.values() ?? [])
    for (const address of each.networkAddresses)
      if (address.startPort === port) return { server: each, speaks: each.speaksTls(address) };
  return null;
}

/** Sends a request. Plaintext requests use a network connection. TLS requests skip the handshake because route changes do not affect it. */
function play(server: TestServer, asked: Asked): Promise<Seen> {
  return asked.isTls ? playSecured(server, asked) : playPlain(asked);
}

const none: Seen = { status: 0, body: '' };

async function playPlain({ port, method, host, path, number }: Asked): Promise<Seen> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    socket.end(`${method} ${path}?n=${number} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const text = (await buffer(socket)).toString();
    const head = text.indexOf('\r\n\r\n');
    return head < 0 ? none : { status: Number(text.split(' ')[1]), body: text.slice(head + 4) };
  } catch {
    return none;
  } finally {
    socket.destroy();
  }
}

async function playSecured(server: TestServer, { port, method, host, path, number }: Asked): Promise<Seen> {
  const at = serverAt(server, port);
  if (at?.speaks !== true) return none;
  const tls: TlsInfo = {
    version: 'tls1.3',
    cipherSuite: 'TLS_AES_128_GCM_SHA256',
    resumed: false,
    protocol: 'http/1.1',
    serverName: host.replace(/:\d+$/, ''),
    clientCertificate: null,
    clientProblem: null,
    handshakeComplete: true,
  };
  const exchange = makeExchange({ method, host, path: `${path}?n=${number}`, connection: { tls, localPort: port } });
  await at.server.handle(exchange);
  const { status, body } = exchange.writer as MemoryResponse;
  return { status, body: body.toString() };
}
