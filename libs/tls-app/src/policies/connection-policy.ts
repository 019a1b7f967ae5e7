/** A TLS connection policy: matchers, and the TLS parameters for handshakes that match. */
import { constants, createHash } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { handshakeMatchers, type ClientHello, type HandshakeMatcher, type PolicyConfig } from '@sluice/contracts';
import type { StreamContext, TicketKeyring } from '@sluice/native';
import { token, type Context, type Token } from '@sluice/registry';
import { SluiceError, expandRequired, messageOf, type JsonObject } from '@sluice/base';
import type { Certificate } from '../certificates/certificate.ts';
import { normalName } from '../certificates/names.ts';
import { compileSelection, type Selection } from '../certificates/selection.ts';
import { clientAuthentication, type ClientAuthentication } from '../client-auth/client-authentication.ts';
import { expandGlobal } from '../global-text.ts';
import type { ContextOwner } from './context-cache.ts';
import { nativeTls } from './native-choice.ts';
import type { NativeContexts } from './native-contexts.ts';
import { cipherList, curveList, known, versions } from './parameters.ts';

/** Comma-separated HTTP protocols of the server that the policy belongs to. */
export const serverProtocolsToken: Token<string> = token<string>('tls_server_protocols');

/** OpenSSL parameters. */
interface Parameters {
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
  readonly ciphers: string;
  readonly ecdhCurve: string;
}

/**
 * Returns OpenSSL options. The server's cipher suite order takes precedence. As in Caddy, renegotiation is disabled, because it would let
 * clients cause load at no cost.
 */
function serverOptions(tickets: boolean): number {
  const { SSL_OP_CIPHER_SERVER_PREFERENCE, SSL_OP_NO_RENEGOTIATION, SSL_OP_NO_TICKET } = constants;
  return SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION | (tickets ? 0 : SSL_OP_NO_TICKET);
}

/** Returns the wire-format protocol number of a TLS version. */
function versionNumber(version: SecureVersion): number {
  return version === 'TLSv1.3' ? tls13 : tls12;
}

/** Maximum length of an ALPN protocol name, in bytes (RFC 7301 §3.1). */
const maxProtocolSize = 255;
const maxProtocolListSize = 65_535;

/** Protocol number of TLS 1.3 in the `supported_versions` extension (RFC 8446 §4.2.1). */
const tls13 = 0x0304;
const tls12 = 0x0303;

let policies = 0;

/** Parts of a connection policy that are not options. */
interface PolicyParts {
  /** HTTP protocols of the server, for ALPN. */
  readonly protocols: readonly string[];
  readonly matchers: readonly HandshakeMatcher[];
  readonly client: ClientAuthentication | null;
  readonly native: NativeContexts | null;
}

export class ConnectionPolicy implements ContextOwner {
  readonly number: number = ++policies;
  /**
   * Key that is equal for policies with the same options, in every thread and configuration. A session can be resumed only under a policy
   * with the same key.
   */
  readonly key: string;
  readonly drop: boolean;
  /** ALPN protocol names with length prefixes, or `null` to disable ALPN. */
  readonly alpn: Buffer | null;
  readonly selection: Selection | null;
  readonly client: ClientAuthentication | null;
  /** Normalized default server name, or an empty string. */
  readonly defaultSni: string;
  readonly fallbackSni: string;
  /** Log file for TLS secrets, or `null`. */
  readonly secretsLog: string | null;
  /** Creates TLS contexts with the OpenSSL bindings. `null` if connections use `node:tls`. */
  readonly native: NativeContexts | null;
  readonly #matchers: readonly HandshakeMatcher[];
  readonly #parameters: Parameters;

  constructor(config: PolicyConfig, key: string, { protocols, matchers, client, native }: PolicyParts) {
    const alpn = config.alpn ?? [];
    this.key = key;
    this.drop = config.drop ?? false;
    this.alpn = encodeProtocols(alpn.length === 0 ? protocols : alpn);
    this.selection = compileSelection(config.certificate_selection);
    this.client = client;
    this.defaultSni = normalName(expandGlobal(config.default_sni ?? ''));
    this.fallbackSni = normalName(expandGlobal(config.fallback_sni ?? ''));
    this.secretsLog = expandRequired(config.insecure_secrets_log ?? '') || null;
    this.native = native;
    this.#matchers = matchers;
    this.#parameters = parametersOf(config);
  }

  /** Reports whether the policy matches a handshake. */
  matches(hello: ClientHello): boolean {
    for (const matcher of this.#matchers) if (!matcher.match(hello)) return false;
    return true;
  }

  /** Reports whether a handshake will use TLS 1.3. TLS 1.3 is preferred if both sides support it. */
  speaksTls13({ versions: offered }: ClientHello): boolean {
    return this.#parameters.maxVersion === 'TLSv1.3' && offered.includes(tls13);
  }

  /** TLS parameters for QUIC. `null` if the policy excludes TLS 1.3, which QUIC requires (RFC 9001 §4.2). */
  get quicParameters(): { readonly groups: string; readonly protocols: readonly string[] } | null {
    return this.#parameters.maxVersion === 'TLSv1.3' ? { groups: this.#parameters.ecdhCurve, protocols: ['h3'] } : null;
  }

  /** Creates a TLS context with the OpenSSL bindings. {@link native} must not be `null`. */
  makeNative(certificate: Certificate, tickets: boolean, ticketKeys: TicketKeyring | null): StreamContext {
    const { ciphers, ecdhCurve, minVersion, maxVersion } = this.#parameters;
    const authorities = [...(this.client?.authorities?.certificates ?? [])];
    return (this.native as NativeContexts).create({
      certificate: certificate.chain,
      key: certificate.key,
      minVersion: versionNumber(minVersion),
      maxVersion: versionNumber(maxVersion),
      ciphers,
      groups: ecdhCurve,
      options: serverOptions(tickets),
      alpn: this.alpn,
      sessionId: this.client === null ? this.key : sessionKey([this.key, authorities]),
      sendsTickets: tickets,
      ticketKeys,
      verification: this.client === null ? 'none' : this.client.required ? 'require' : 'request',
      authorities,
    });
  }

  /** Creates an OpenSSL context for a certificate under this policy. Takes about a millisecond. */
  makeContext(certificate: Certificate, tickets: boolean): SecureContext {
    // Pass a CA list, even an empty one. If no list is passed, OpenSSL trusts all of Node's default CAs.
    const ca = this.client === null ? null : [...(this.client.authorities?.certificates ?? [])];
    return createSecureContext({
      ...this.#parameters,
      cert: certificate.chain,
      key: certificate.key,
      secureOptions: serverOptions(tickets),
      // A session is only valid for the CAs that accepted the client. CAs from files are not part of the options, so add them to the key.
      ...(ca === null ? { sessionIdContext: this.key } : { sessionIdContext: sessionKey([this.key, ca]), ca }),
    });
  }
}

export async function provisionPolicy(node: JsonObject, context: Context): Promise<ConnectionPolicy> {
  const config = node as PolicyConfig;
  checkProtocols(config.alpn ?? [], context);
  const protocols = context.use(serverProtocolsToken);
  const matchers = await context.loadMap(handshakeMatchers, config.match ?? {}, 'match');
  const auth = config.client_authentication ?? null;
  const client = auth === null ? null : await clientAuthentication(auth, context);
  const key = sessionKey([node, protocols]);
  const native = nativeTls.allowed ? (await import('./native-contexts.ts')).nativeContexts(config, context.log) : null;
  try {
    return new ConnectionPolicy(config, key, {
      protocols: protocols === '' ? [] : protocols.split(','),
      matchers: [...matchers.values()],
      client,
      native,
    });
  } catch (error) {
    throw context.error(messageOf(error));
  }
}

/** Returns a session ID context, which limits where a session can be resumed. OpenSSL accepts at most 32 bytes. */
function sessionKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function parametersOf(config: PolicyConfig): Parameters {
  const minVersion = config.protocol_min ? known(versions, config.protocol_min, 'version of TLS') : 'TLSv1.2';
  const maxVersion = config.protocol_max ? known(versions, config.protocol_max, 'version of TLS') : 'TLSv1.3';
  if (minVersion > maxVersion) throw new SluiceError('ERR_VALUE', 'protocol_min is greater than protocol_max');
  return {
    minVersion,
    maxVersion,
    ciphers: cipherList(config.cipher_suites ?? []),
    ecdhCurve: curveList(config.curves ?? []),
  };
}

/** Encodes ALPN protocol names with one-byte lengths. Lengths must not be 0 (RFC 7301 §3.1). */
function encodeProtocols(names: readonly string[]): Buffer | null {
  if (names.length === 0) return null;
  return Buffer.concat(
    names.map((name) => {
      const bytes = Buffer.from(name);
      return Buffer.concat([Buffer.of(bytes.length), bytes]);
    }),
  );
}

/** Rejects ALPN protocol names that cannot be encoded in a handshake. */
function checkProtocols(names: readonly string[], context: Context): void {
  for (const [index, name] of names.entries()) {
    const { length } = Buffer.from(name);
    if (length === 0)
      throw context.error(
        'ALPN protocol names must not be empty; remove the name or use one such as h2',
        'alpn',
        index,
      );
    if (length > maxProtocolSize)
      throw context.error(
        `an ALPN protocol name can have at most ${maxProtocolSize} bytes, but this one has ${length}`,
        'alpn',
        index,
      );
  }
  const total = names.reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0);
  if (total > maxProtocolListSize)
    throw context.error(
      `ALPN protocol names can have at most ${maxProtocolListSize} bytes in total, but these have ${total}`,
      'alpn',
    );
}
