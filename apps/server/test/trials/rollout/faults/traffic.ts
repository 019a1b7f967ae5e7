/** Generates steady traffic from many clients, and verifies the responses to their requests. */
import { createHash } from 'node:crypto';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A kind of request. `#` in the path stands for a number. */
export interface Kind {
  readonly path: string;
  readonly host: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** TLS version that the client supports. If omitted, the client does not use TLS. */
  readonly tls?: 'TLSv1.2' | 'TLSv1.3';
  readonly weight?: number;
}

const login = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
const kind = (host: string, path: string, more: Partial<Kind> = {}): Kind => ({ host, path, ...more });

const kinds: readonly Kind[] = [
  kind('shop.test', '/', { weight: 3 }),
  kind('shop.test', '/app.js', { headers: { 'Accept-Encoding': 'gzip' }, weight: 2 }),
  kind('shop.test', '/app.js'),
  kind('shop.test', '/app.js', { headers: { 'Accept-Encoding': 'gzip;q=0, identity' } }),
  kind('shop.test', '/offers/summer.html'),
  kind('shop.test', '/docs/'),
  kind('shop.test', '/docs/readme.txt'),
  kind('shop.test', '/pages/#'),
  kind('shop.test', '/sale'),
  kind('shop.test', '/api/items/#', { weight: 8 }),
  kind('shop.test', '/api/items/#', { headers: { Cookie: `sid=1; long=${'x'.repeat(3000)}` } }),
  kind('shop.test', '/api/orders/#', { weight: 3 }),
  kind('shop.test', '/api/items/#', { method: 'POST', body: '{"a":1}', weight: 2 }),
  kind('shop.test', '/catalog/items/#', { weight: 4 }),
  kind('shop.test', '/catalog/items?page=#', { weight: 2 }),
  kind('shop.test', '/upload/#', { method: 'PUT', body: 'x'.repeat(20_000), weight: 2 }),
  kind('shop.test', '/search?q=#', { weight: 3 }),
  kind('shop.test', '/admin/users', { headers: { Authorization: login }, weight: 2 }),
  kind('shop.test', '/admin/users'),
  kind('shop.test', '/account/#', { headers: { Cookie: 'sid=1' }, weight: 2 }),
  kind('shop.test', '/account/#'),
  kind('shop.test', '/login', { weight: 2 }),
  kind('www.shop.test', '/pages/#', { weight: 2 }),
  kind('api.test', '/v1/items/#', { headers: { Origin: 'https://front.test' }, weight: 6 }),
  kind('api.test', '/v1/items/#', { method: 'OPTIONS', headers: { Origin: 'https://front.test' } }),
  kind('api.test', '/v2/items/#', { weight: 2 }),
  kind('api.test', '/v7/items/#'),
  kind('api.test', '/feed', { weight: 2 }),
  kind('api.test', '/missing'),
  kind('app.test', '/#', { weight: 4 }),
  kind('app.test', '/internal/users', { headers: { 'X-Forwarded-For': '10.1.0.7' } }),
  kind('app.test', '/internal/users'),
  kind('app.test', '/reports/#', { weight: 2 }),
  kind('secure.test', '/#', { tls: 'TLSv1.3', weight: 2 }),
  kind('secure.test', '/#', { tls: 'TLSv1.2' }),
];

/** Response header fields that clients depend on. */
const fields = [
  ...[
    'content-type',
    'content-encoding',
    'content-disposition',
    'location',
    'set-cookie',
    'cache-control',
    'www-authenticate',
  ],
  ...['access-control-allow-origin', 'access-control-allow-methods', 'strict-transport-security', 'x-internal'],
];

/** Duration in milliseconds after which a response counts as late. */
const late = 1000;

/** Numbers in paths have seven digits. A response contains such a number only if it repeats the path. */
const firstNumber = 7_654_000;

/** Number of requests after which a TLS connection is closed. */
const perConnection = 20;

export interface Target {
  readonly http: number;
  readonly https: number;
  /** Certificates that clients trust. */
  readonly ca: readonly string[];
}

export interface Tally {
  requests: number;
  hurt: number;
  /** Number of harmed requests by kind and outcome. */
  readonly by: Map<string, number>;
}

interface Draw {
  readonly kind: Kind;
  readonly index: number;
}

function drawsOf(factor: (kind: Kind) => number): readonly Draw[] {
  return kinds.flatMap((each, index) =>
    Array.from({ length: (each.weight ?? 1) * factor(each) }, () => ({ kind: each, index })),
  );
}

/** Sends requests until stopped. */
export class Traffic {
  readonly #target: Target;
  #draws: readonly Draw[];
  readonly #expected: (string | null)[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #loops: Promise<void>[];
  #tally: Tally = { requests: 0, hurt: 0, by: new Map() };
  #isStopped = false;

  constructor(target: Target, clients: number) {
    this.#target = target;
    this.#draws = drawsOf(() => 1);
    this.#expected = kinds.map(() => null);
    this.#loops = Array.from({ length: clients }, () => this.#client());
  }

  /** Records the expected response for each kind of request. */
  async learn(): Promise<readonly string[]> {
    for (const [i, each] of kinds.entries())
      this.#expected[i] = await this.#outcome(each, firstNumber, null).catch(String);
    return this.#expected.map(String);
  }

  /** Sends forty times as many requests to certain hosts and paths. This allows a comparison with a small share of the clients. */
  focus(places: readonly string[]): void {
    this.#draws = drawsOf(({ host, path }) => (places.some((place) => `${host}${path}`.startsWith(place)) ? 40 : 1));
  }

  /** Starts counting. Returns the counters, which continue to increase. */
  count(): Tally {
    return (this.#tally = { requests: 0, hurt: 0, by: new Map() });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    this.#agent.destroy();
  }

  async #client(): Promise<void> {
    while (!this.#isStopped) {
      let tls: TlsAgent | null = null;
      for (let i = 0; i < perConnection && !this.#isStopped; i++) {
        const draw = this.#draws[Math.floor(Math.random() * this.#draws.length)] as Draw;
        if (draw.kind.tls !== undefined) tls ??= this.#tlsAgent(draw.kind.tls);
        await this.#one(draw, tls);
        await sleep(1);
      }
      tls?.destroy();
    }
  }

  #tlsAgent(version: 'TLSv1.2' | 'TLSv1.3'): TlsAgent {
    return new TlsAgent({ keepAlive: true, minVersion: 'TLSv1.2', maxVersion: version, ca: [...this.#target.ca] });
  }

  async #one({ kind: sent, index }: Draw, tls: TlsAgent | null): Promise<void> {
    const began = performance.now();
    const tally = this.#tally;
    const outcome = await this.#outcome(sent, firstNumber + Math.floor(Math.random() * 1000), tls).catch(
      (error: Error) => error.message,
    );
    const expected = this.#expected[index];
    tally.requests++;
    const time = performance.now() - began;
    if (expected === null || (outcome === expected && time < late)) return;
    tally.hurt++;
    const what = `${sent.method ?? 'GET'} ${sent.host}${sent.path}: ${outcome === expected ? 'late' : outcome.slice(0, 60)}`;
    tally.by.set(what, (tally.by.get(what) ?? 0) + 1);
  }

  async #outcome(
    { host, path, method = 'GET', headers = {}, body, tls }: Kind,
    number: number,
    agent: TlsAgent | null,
  ): Promise<string> {
    const { http, https } = this.#target;
    const own = {
      host: '127.0.0.1',
      method,
      path: path.replace('#', String(number)),
      timeout: 8000,
      headers: {
        'X-Forwarded-For': '203.0.113.9',
        'X-User': String(Math.random()),
        ...headers,
        Host: `${host}:${tls === undefined ? http : https}`,
        ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      },
    };
    const outgoing =
      tls === undefined
        ? request({ ...own, port: http, agent: this.#agent })
        : tlsRequest({ ...own, port: https, servername: host, agent: agent ?? this.#tlsAgent(tls) });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response')));
    outgoing.end(body);
    return outcomeOf(outgoing, number);
  }
}

async function outcomeOf(outgoing: ClientRequest, number: number): Promise<string> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  // Removes parts of the URL from the response, because responses may repeat them.
  const text = Buffer.concat(chunks)
    .toString('latin1')
    .replaceAll(new RegExp(`\\b${number}\\b`, 'g'), '#');
  const shown = fields.map((name) => String(response.headers[name] ?? '').replaceAll(String(number), '#'));
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${response.statusCode} ${shown.filter((value) => value !== '').join(', ')} ${digest}`;
}
