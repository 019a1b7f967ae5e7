/** Generated requests. */
import { HeadParser, type HeaderMap } from '@sluice/http1';
import { BufferedBody, emptyBody, Exchange, type ConnectionInfo, type ExplainRequest } from '@sluice/http-app';
import { MemoryResponse } from '@sluice/testing';
import type { Random } from '../differential/random.ts';
import { queryNames } from './handlers.ts';
import { hostOf, methodOf, mixedCase, pathOf, values, words } from './vocabulary.ts';

/** A request, as it is explained and as it is served. */
export interface GeneratedRequest {
  readonly question: ExplainRequest;
  /** An exchange as the engine of HTTP/1.1 makes it. */
  exchange(): { readonly exchange: Exchange; readonly response: CutResponse };
}

/** A response that knows whether its connection was cut. */
export class CutResponse extends MemoryResponse {
  cut = false;
}

const client = '127.0.0.1';

/** A request to a configuration with this many hosts. */
export function requestOf(random: Random, hosts: number): GeneratedRequest {
  const host = random.chance(0.05) ? 'elsewhere.example' : hostOf(random.integer(0, hosts));
  const named = `${mixedCase(host, random)}${random.chance(0.2) ? ':8080' : ''}`;
  const method = methodOf(random);
  const query = random.chance(0.4) ? `?${random.pick(queryNames)}=${encodeURIComponent(random.pick(values))}` : '';
  const target = `${pathOf(random)}${query}`;
  const headers: Record<string, string[]> = {};
  for (const name of random.some(words, 2)) headers[name] = [random.pick(values)];
  if (random.chance(0.1)) headers['x-forwarded-for'] = ['192.0.2.5'];
  const body = random.chance(0.2) ? random.pick(['', 'x', 'longer than three']) : undefined;
  if (body !== undefined) headers['content-length'] = [String(body.length)];
  return {
    question: {
      url: `http://${named}${target}`,
      method,
      headers,
      client: `${client}:50000`,
      server: 's',
      protocol: 'HTTP/1.1',
      time: '2026-01-01T00:00:00Z',
      random: 0.5,
      ...(body === undefined ? {} : { body }),
    },
    exchange: () => exchangeOf({ method, target, host: named, headers, body: body ?? '' }),
  };
}

interface Message {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

/** The message goes through the parser of the server, as if it came over a connection. */
function exchangeOf({ method, target, host, headers, body }: Message): { exchange: Exchange; response: CutResponse } {
  const lines = Object.entries(headers).flatMap(([name, all]) => all.map((value) => `${name}: ${value}\r\n`));
  const bytes = Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`);
  const parser = new HeadParser(1 << 16);
  if (parser.feed(bytes, 0, bytes.length) !== bytes.length) throw new Error(`not a request: ${bytes.toString()}`);
  const response = new CutResponse();
  const connection: ConnectionInfo = {
    remoteAddress: client,
    remotePort: 50000,
    localAddress: '127.0.0.1',
    localPort: 80,
    unix: false,
    tls: null,
    upgrade: () => null,
    destroy: () => {
      response.cut = true;
    },
  };
  const head = {
    method: parser.method,
    rawPath: parser.rawPath,
    query: parser.query,
    target: parser.target ?? null,
    host: parser.host,
    headers: copyOf(parser.headers),
    proto: 'HTTP/1.1',
  };
  const exchange = new Exchange(
    head,
    connection,
    response,
    body === '' ? emptyBody : new BufferedBody(Buffer.from(body)),
  );
  return { exchange, response };
}

function copyOf(headers: HeaderMap): HeaderMap {
  return headers.clone();
}
