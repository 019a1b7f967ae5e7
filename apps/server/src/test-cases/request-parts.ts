/** Converts the request of a test case to the message to send and the properties of the connection. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostOf, type SocketFacts } from '@sluice/http-app';
import type { TlsInfo } from '@sluice/contracts';
import { CommandError } from '../failure.ts';
import type { RequestOptions } from './case-schema.ts';
import type { ClientRequest } from './client.ts';
import { methodOf } from './read-cases.ts';
import { bytesOf, linesOf } from './stand-in-options.ts';

/** A test request, ready to be sent. */
export interface RequestParts {
  readonly request: ClientRequest;
  /** Port of the request's URL. */
  readonly port: number;
  readonly facts: SocketFacts;
}

/** Default client address. It is in a documentation network (RFC 5737), which configurations don't refer to. */
const someClient = { address: '192.0.2.1', port: 50_000 };

const absoluteUrl =
  /^(?<scheme>https?):\/\/(?:[^/?#@]*@)?(?<authority>[^/?#]+)(?<path>[^?#]*)(?<query>\?[^#]*)?(?:#.*)?$/i;

/** Converts the options of a test request. Throws an error with a message for the test case. */
export function requestParts(options: RequestOptions): RequestParts {
  const { url } = options;
  const { scheme = '', authority = '', path = '', query = '' } = absoluteUrl.exec(url)?.groups ?? {};
  if (scheme === '') throw new CommandError(`${JSON.stringify(url)} is not a URL such as https://example.com/path`);
  const all = linesOf(options.headers);
  const named = all.find(([name]) => name === 'host')?.[1];
  const isSecure = options.tls == null ? scheme.toLowerCase() === 'https' : options.tls !== false;
  const upgrades = all.some(([name]) => name === 'upgrade');
  const protocol = options.protocol ?? (isSecure && !upgrades ? 'HTTP/2.0' : 'HTTP/1.1');
  const host = named ?? authority;
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? (scheme.toLowerCase() === 'https' ? 443 : 80));
  const client = options.client == null ? someClient : addressOf(options.client);
  return {
    request: {
      protocol,
      scheme: isSecure ? 'https' : 'http',
      method: methodOf(options),
      host,
      target: `${path === '' ? '/' : path}${query}`,
      headers: all.filter(([name]) => name !== 'host'),
      body: options.body == null ? null : bytesOf(options.body),
    },
    port,
    facts: {
      remoteAddress: client.address,
      remotePort: client.port,
      localAddress: '127.0.0.1',
      localPort: port,
      unix: false,
      tls: isSecure ? tlsOf(options.tls, host, protocol) : null,
      notes: { opening: null, point: null },
    },
  };
}

function addressOf(client: string): { readonly address: string; readonly port: number } {
  const { address = '', port } =
    isIP(client) === 0 ? (/^\[?(?<address>[^\]]*?)\]?:(?<port>\d+)$/.exec(client)?.groups ?? {}) : { address: client };
  if (isIP(address) === 0)
    throw new CommandError(`client: ${JSON.stringify(client)} is not an IP address with an optional port`);
  return { address, port: port === undefined ? someClient.port : Number(port) };
}

function tlsOf(given: RequestOptions['tls'], host: string, protocol: string): TlsInfo {
  const facts = typeof given === 'object' && given !== null ? given : {};
  return {
    version: facts.version ?? 'tls1.3',
    cipherSuite: facts.cipher_suite ?? 'TLS_AES_128_GCM_SHA256',
    resumed: facts.resumed === true,
    // Protocol negotiated with ALPN. It selects the connection's HTTP version.
    protocol: facts.protocol ?? (protocol === 'HTTP/2.0' ? 'h2' : 'http/1.1'),
    serverName: facts.server_name ?? (isIP(hostOf(host)) === 0 ? hostOf(host) : ''),
    clientCertificate: facts.client_certificate == null ? null : new X509Certificate(facts.client_certificate).raw,
    clientProblem: null,
    handshakeComplete: true,
  };
}
