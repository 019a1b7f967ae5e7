/** Sends the requests of a case to a proxy, and compares the results of two proxies. */
import { Agent, request } from 'node:http';
import type { Received } from './upstreams.ts';

export interface CaseRequest {
  readonly path: string;
  /** Default: a.test. */
  readonly host?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Local address of the connection. */
  readonly from?: string;
  /** Number of requests. Default: 1. */
  readonly times?: number;
  /** Sends the requests at the same time, and compares how often each result occurs. */
  readonly together?: boolean;
  /** Compares how often each result occurs, because the order of upstreams is not defined. */
  readonly unordered?: boolean;
  /** Sends the cookies of the previous responses. */
  readonly cookies?: boolean;
}

/** Result of a request: values by name. */
export type Outcome = Readonly<Record<string, string>>;

/** Response fields that describe the connection or the time. */
const ignoredResponse = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'via',
]);
/** Response fields that describe the proxy's own error pages. */
const ignoredOwn = new Set([...ignoredResponse, 'content-type', 'x-content-type-options', 'retry-after', 'x-retry-in']);
/** Request fields that describe the connection or the proxy. */
const ignoredRequest = new Set(['connection', 'content-length', 'transfer-encoding', 'via', 'x-traefik-router']);

/** Sends the requests in order. */
export async function play(port: number, requests: readonly CaseRequest[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const jar = new Map<string, string>();
  for (const [i, each] of requests.entries()) {
    const { times = 1, together = false, unordered = together } = each;
    const sent: Outcome[] = [];
    if (together) sent.push(...(await Promise.all(Array.from({ length: times }, () => send(port, each, jar)))));
    else for (let n = 0; n < times; n++) sent.push(await send(port, each, jar));
    const all = unordered ? [...sent].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : sent;
    outcomes.push(...all.map((outcome) => ({ request: `${i + 1} ${each.method ?? 'GET'} ${each.path}`, ...outcome })));
  }
  return outcomes;
}

function keyOf({ status = '', upstream = '' }: Outcome): string {
  return `${status} ${upstream}`;
}

/** Returns the names of the values that differ, each with both values: `1 GET / status: 200 | 404`. */
export function differencesOf(theirs: readonly Outcome[], ours: readonly Outcome[]): readonly string[] {
  const found = theirs.flatMap((each, i) => {
    const other = ours[i] ?? {};
    const names = [...new Set([...Object.keys(each), ...Object.keys(other)])].sort();
    return names
      .filter((name) => each[name] !== other[name])
      .map((name) => `${each['request']} ${name}: ${each[name] ?? 'none'} | ${other[name] ?? 'none'}`);
  });
  return [...new Set(found)];
}

function send(port: number, asked: CaseRequest, jar: Map<string, string>): Promise<Outcome> {
  const { path, host = 'a.test', method = 'GET', headers = {}, body, from } = asked;
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const cookies = asked.cookies === true && cookie !== '' ? { Cookie: cookie } : {};
  const agent = new Agent({ localAddress: from ?? '127.0.0.1' });
  return new Promise((resolve, reject) => {
    const all = { Host: host, ...cookies, ...headers };
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: all, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        agent.destroy();
        const { statusCode = 0 } = response;
        for (const each of response.headers['set-cookie'] ?? []) remember(jar, each);
        resolve(outcomeOf(statusCode, response.headers, Buffer.concat(chunks).toString('latin1'), port));
      });
    });
    outgoing.setTimeout(10_000, () => outgoing.destroy(new Error(`${method} ${path}: no response within 10 s`)));
    outgoing.on('error', (error) => {
      agent.destroy();
      reject(error);
    });
    outgoing.end(body);
  });
}

function remember(jar: Map<string, string>, field: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
  jar.set(name, value);
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function outcomeOf(status: number, headers: Headers, text: string, port: number): Outcome {
  // The two proxies listen on different ports.
  const plain = (value: string): string => value.replaceAll(String(port), 'PORT');
  const outcome: Record<string, string> = { status: String(status) };
  const add = (prefix: string, fields: Headers, ignored: ReadonlySet<string>): void => {
    for (const [name, value] of Object.entries(fields))
      if (!ignored.has(name) && value !== undefined) outcome[prefix + name] = plain([value].flat().join(', '));
  };
  const isOfUpstream = headers['x-from-upstream'] !== undefined;
  add('response ', headers, isOfUpstream ? ignoredResponse : ignoredOwn);
  const cookie = [headers['set-cookie'] ?? []].flat().join(', ');
  if (cookie !== '') outcome['response set-cookie'] = cookie.replaceAll(/=[\da-f]{8,}(?=;|$)/g, '=ID');
  outcome['upstream'] = String(headers['x-upstream'] ?? 'none');
  if (!isOfUpstream || headers['content-encoding'] !== undefined || !text.startsWith('{')) return outcome;
  const received = JSON.parse(Buffer.from(text, 'latin1').toString()) as Received;
  outcome['sent method'] = received.method;
  outcome['sent url'] = received.url;
  outcome['sent body'] = received.body;
  add('sent ', received.headers, ignoredRequest);
  return outcome;
}
