/** Facts about a request that are not in its head: connection, body, time, and randomness. */
import { X509Certificate } from 'node:crypto';
import { explainsConfined } from '@sluice/base';
import type { TlsInfo } from '@sluice/contracts';
import { type ConnectionInfo, hostOf } from '@sluice/http-app';
import type { ExplainRequest, ExplainTls } from './types.ts';
import { requestError } from './request-error.ts';
import type { ReadTarget } from './request-target.ts';
import type { Observer } from './observer.ts';
import { standIns, type StandIns } from './stand-ins.ts';

/** Facts about a request. A fact is `null` if it is unknown. */
export interface Facts {
  readonly client: string | null;
  readonly clientPort: number | null;
  readonly isTls: boolean;
  readonly tls: ExplainTls | null;
  /** Default server name of the TLS handshake, which is the request host. Similarly, `proto` determines the default ALPN protocol. */
  readonly serverName: string;
  readonly proto: string;
  readonly localPort: number;
  readonly time: number | null;
  readonly random: number | null;
  /** True if the client must not read files and environment variables. In this case, their contents are unknown. */
  readonly confined: boolean;
  /** Request body. `null` means that there is no body, and `undefined` means that the body is unknown. */
  readonly body: Buffer | null | undefined;
  /** Body length according to the request head. -1 for a chunked body. */
  readonly bodyLength: number;
  /** Stand-in values for unknown request properties. */
  readonly standIns: StandIns;
}

/** Extracts the facts from a request. Throws `ERR_EXPLAIN_REQUEST` if the request is invalid. */
export function factsOf(request: ExplainRequest, { head, isHttps, port }: ReadTarget): Facts {
  const { tls, time, random = null } = request;
  const [client, clientPort] = addressOf(request.client);
  return {
    client,
    clientPort,
    isTls: tls === undefined ? isHttps : tls !== false,
    tls: typeof tls === 'object' ? tls : null,
    serverName: hostOf(head.host),
    proto: head.proto,
    localPort: port,
    time: time === undefined ? null : timeOf(time),
    random,
    confined: explainsConfined(),
    body: bodyOf(request),
    bodyLength: head.headers.has('transfer-encoding') ? -1 : Number(head.headers.get('content-length') ?? 0),
    standIns,
  };
}

function addressOf(client: string | undefined): [address: string | null, port: number | null] {
  if (client === undefined || client === '') return [null, null];
  const { address, port } = /^\[?(?<address>[^\]]*?)\]?(?::(?<port>\d+))?$/.exec(client)?.groups ?? {};
  const isBareIpv6 = !client.startsWith('[') && client.split(':').length > 2;
  if (isBareIpv6) return [client, null];
  return [address ?? client, port === undefined ? null : Number(port)];
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw requestError('time', `${JSON.stringify(text)} is not a time such as 2026-01-01T00:00:00Z`);
  return time;
}

function bodyOf({ body, headers }: ExplainRequest): Buffer | null | undefined {
  if (body !== undefined) return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.base64, 'base64');
  const names = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
  const announced = names.includes('transfer-encoding') || names.includes('content-length');
  return announced ? undefined : null;
}

/** Returns a connection object for handlers, which records reads of unknown request properties. */
export function connectionOf(facts: Facts, observer: Observer, destroy: () => void): ConnectionInfo {
  const tls = facts.isTls ? tlsOf(facts, observer) : null;
  return {
    get remoteAddress() {
      observer.fact('client address', facts.client !== null);
      observer.read('remote_ip', facts.client);
      return facts.client ?? facts.standIns.client;
    },
    get remotePort() {
      observer.fact('client port', facts.clientPort !== null);
      return facts.clientPort ?? facts.standIns.clientPort;
    },
    get localAddress() {
      observer.fact('server address', false);
      return facts.standIns.serverAddress;
    },
    localPort: facts.localPort,
    unix: false,
    get tls() {
      observer.read('tls', tls !== null);
      return tls;
    },
    upgrade: () => null,
    destroy,
  };
}

function tlsOf(
  { tls: given, serverName, proto, standIns: { tlsVersion, cipherSuite, isResumed } }: Facts,
  observer: Observer,
): TlsInfo {
  const certificate = given?.client_certificate ?? null;
  const record = <T>(name: keyof ExplainTls, value: T): T => {
    observer.fact('TLS', given !== null && given[name] !== undefined);
    return value;
  };
  return {
    get version() {
      return record('version', given?.version ?? tlsVersion);
    },
    get cipherSuite() {
      return record('cipher_suite', given?.cipher_suite ?? cipherSuite);
    },
    get resumed() {
      return record('resumed', given?.resumed ?? isResumed);
    },
    get protocol() {
      return record('protocol', given?.protocol ?? (proto === 'HTTP/2.0' ? 'h2' : 'http/1.1'));
    },
    get serverName() {
      return record('server_name', given?.server_name ?? serverName);
    },
    get clientCertificate() {
      return record('client_certificate', certificate === null ? null : new X509Certificate(certificate).raw);
    },
    get clientProblem() {
      return record('client_certificate', null);
    },
    get handshakeComplete() {
      return record('handshake_complete', given?.handshake_complete ?? true);
    },
  };
}
