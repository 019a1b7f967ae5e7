/** Replays a request through a server as if a client had sent it, and records the response. */
import { isIP } from 'node:net';
import type { TlsInfo } from '@sluice/contracts';
import {
  type ConnectionInfo,
  emptyBody,
  Exchange,
  proxyFacts,
  type Server,
  UnconnectedBody,
  withholdExternal,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { within } from '@sluice/base';
import { factsOf, type Facts } from '../explain/facts.ts';
import type { ReadTarget } from '../explain/request-target.ts';
import { standIns } from '../explain/stand-ins.ts';
import type { ExplainRequest } from '../explain/types.ts';
import { Passage, passageKey } from './shadow-guard.ts';
import { ShadowResponse } from './shadow-response.ts';

/** Timeout for a response, in milliseconds. */
const timeout = 10_000;

/**
 * Way in which a response ended. `complete`: the entire response was read. `large`: the rest of the body was not read. `closed`: the
 * connection was closed without a response. `timeout`: the response took too long.
 */
export type End = 'complete' | 'large' | 'closed' | 'timeout';

/** Response to a replayed request. */
export interface Played {
  /** Response status. 0 if there is no response. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly hash: string;
  /** Response body. `null` if the body is too large to keep. */
  readonly content: Buffer | null;
  readonly size: number;
  readonly end: End;
  readonly milliseconds: number;
  readonly route: string | null;
  readonly upstream: string | null;
  readonly leftOut: string | null;
  readonly bypassed: ReadonlySet<string>;
}

/** Replays a request. If `confined` is true, hides the values of files and environment variables. Never rejects. */
export async function play(
  server: Server,
  request: ExplainRequest,
  { head, isHttps, port }: ReadTarget,
  confined: boolean,
): Promise<Played> {
  const headers = head.headers.clone();
  const facts = factsOf(request, { head, isHttps, port });
  const { body: content } = facts;
  const response = new ShadowResponse(head);
  const passage = new Passage();
  let isCut = false;
  const connection = connectionOf(facts, () => (isCut = true));
  const body =
    content === null || content === undefined || content.length === 0
      ? emptyBody
      : new UnconnectedBody(content, facts.bodyLength < 0);
  const exchange = new Exchange({ ...head, headers }, connection, response, body);
  exchange.attach(passageKey, passage);
  if (confined) withholdExternal(exchange, () => undefined);
  const pending = server.handle(exchange);
  const inTime = pending === undefined || (await within(pending, timeout));
  const milliseconds = performance.now() - exchange.startedAt;
  if (!inTime) exchange.abort();
  const { sent } = response;
  const end = !inTime ? 'timeout' : response.isLarge ? 'large' : isCut ? 'closed' : 'complete';
  return {
    status: end === 'closed' || (end === 'timeout' && !response.ended) ? 0 : sent.status,
    headers: sent.headers,
    ...response.body(),
    size: response.size,
    end,
    milliseconds,
    route: exchange.place?.route ?? null,
    upstream: (exchange.attached(proxyFacts)?.placeholder('upstream.hostport') as string | undefined) ?? null,
    leftOut: passage.leftOut,
    bypassed: passage.bypassed,
  };
}

function connectionOf(facts: Facts, destroy: () => void): ConnectionInfo {
  const { client, clientPort, localPort, isTls } = facts;
  return {
    remoteAddress: client !== null && isIP(client) > 0 ? client : standIns.client,
    remotePort: clientPort ?? standIns.clientPort,
    localAddress: standIns.serverAddress,
    localPort,
    unix: false,
    tls: isTls ? tlsOf(facts) : null,
    upgrade: () => null,
    destroy,
  };
}

function tlsOf({ tls, serverName, proto }: Facts): TlsInfo {
  return {
    version: tls?.version ?? standIns.tlsVersion,
    cipherSuite: tls?.cipher_suite ?? standIns.cipherSuite,
    resumed: tls?.resumed ?? standIns.isResumed,
    protocol: tls?.protocol ?? (proto === 'HTTP/2.0' ? 'h2' : 'http/1.1'),
    serverName: tls?.server_name ?? serverName,
    // Omit the client certificate, because recordings don't contain its private key.
    clientCertificate: null,
    clientProblem: null,
    handshakeComplete: true,
  };
}
