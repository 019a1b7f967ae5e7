/** Generated requests. */
import type { ExplainRequest } from '@sluice/http-analysis';
import type { SocketFacts } from '@sluice/http-app';
import type { Random } from '../differential/random.ts';
import type { Message } from '../exchange.ts';
import { queryNames } from './handlers.ts';
import { hostOf, methodOf, mixedCase, pathOf, values, words } from './vocabulary.ts';
import { answerCount, type World } from './world.ts';

/** A generated request, both as input for an explanation and as bytes for the connection. */
export interface GeneratedRequest {
  readonly question: ExplainRequest;
  readonly message: Message;
  readonly facts: SocketFacts;
}

const clients = ['127.0.0.1', '10.1.2.3', '192.0.2.77'] as const;
const clientPort = 50_000;

/** Generates a request for a configuration with the given number of hosts. */
export function requestOf(random: Random, hosts: number, world: World | null = null): GeneratedRequest {
  const host = random.chance(0.05) ? 'elsewhere.example' : hostOf(random.integer(0, hosts));
  const protocol = world === null ? 'plain' : random.pick(['plain', 'plain', 'plain', 'tls', 'h2'] as const);
  const named = `${mixedCase(host, random)}${random.chance(0.2) ? ':8080' : ''}`;
  const method = methodOf(random);
  const query = random.chance(0.4) ? `?${random.pick(queryNames)}=${encodeURIComponent(random.pick(values))}` : '';
  const target = `${random.chance(0.3) ? random.pick(['/', '/a', '/a/', '/a/b', '/style.css']) : pathOf(random)}${query}`;
  const answer = `${random.integer(0, answerCount - 1)}${random.chance(0.15) ? '+' : ''}`;
  const body = random.chance(0.2) ? random.pick(['', 'x', 'longer than three']) : undefined;
  const headers = headersOf(random, { answer, isHttp2: protocol === 'h2', isPlain: world === null, body });
  const client = world === null ? clients[0] : random.pick(clients);
  const isTls = protocol !== 'plain';
  const tls = { version: 'tls1.3', cipher_suite: 'TLS_AES_128_GCM_SHA256', resumed: false, handshake_complete: true };
  return {
    question: {
      url: `${isTls ? 'https' : 'http'}://${named}${target}`,
      method,
      headers,
      server: 's',
      protocol: protocol === 'h2' ? 'HTTP/2.0' : 'HTTP/1.1',
      time: '2026-01-01T00:00:00Z',
      tls: isTls
        ? { ...tls, server_name: host, protocol: protocol === 'h2' ? 'h2' : 'http/1.1', client_certificate: null }
        : false,
      ...(world === null || random.chance(0.92) ? { client: `${client}:${clientPort}` } : {}),
      ...(world !== null && random.chance(0.7) ? { responses: world.responses(answer) } : {}),
      ...(body === undefined || (body !== '' && world !== null && random.chance(0.2)) ? {} : { body }),
    },
    message: { method, target, host: named, headers, body: body ?? '' },
    facts: {
      remoteAddress: client,
      remotePort: clientPort,
      localAddress: '127.0.0.1',
      localPort: isTls ? 443 : 80,
      unix: false,
      tls: isTls
        ? {
            version: tls.version,
            cipherSuite: tls.cipher_suite,
            resumed: false,
            protocol: protocol === 'h2' ? 'h2' : 'http/1.1',
            serverName: host,
            clientCertificate: null,
            clientProblem: null,
            handshakeComplete: true,
          }
        : null,
      notes: { opening: null, point: null },
    },
  };
}

interface Sent {
  readonly answer: string;
  readonly isHttp2: boolean;
  /** If true, the request omits the fields that proxies and file servers read. */
  readonly isPlain: boolean;
  readonly body: string | undefined;
}

function headersOf(random: Random, { answer, isHttp2, isPlain, body }: Sent): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const name of random.some(words, 2)) headers[name] = [random.pick(values)];
  const add = (chance: number, name: string, among: readonly string[]): void => {
    if (random.chance(chance)) headers[name] = [random.pick(among)];
  };
  add(0.1, 'x-forwarded-for', ['192.0.2.5']);
  if (body !== undefined) headers['content-length'] = [String(body.length)];
  if (isPlain) return headers;
  headers['x-answer'] = [answer];
  add(0.1, 'x-forwarded-proto', ['https']);
  add(0.5, 'accept-encoding', ['gzip', 'gzip, br', 'identity', 'br;q=0.5, gzip;q=0.1', '']);
  add(0.1, 'if-none-match', ['"page"', '*', '"other"']);
  add(0.1, 'range', ['bytes=0-3', 'bytes=5-', 'bytes=900000-']);
  add(0.1, 'user-agent', ['test', '']);
  add(0.1, 'cookie', ['lb=unknown', 'other=1', 'lb=']);
  add(0.05, 'authorization', ['Basic eDp5']);
  if (isHttp2) return headers;
  headers['connection'] = [random.chance(0.1) ? 'close, x-a' : 'close'];
  add(0.1, 'te', ['trailers', 'gzip']);
  return headers;
}
