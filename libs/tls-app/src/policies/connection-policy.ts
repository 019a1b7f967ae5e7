/** A connection policy: which handshakes it is for, and how TLS is spoken with them. */
import { constants, createHash } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { handshakeMatchers, type ClientHello, type HandshakeMatcher, type PolicyConfig } from '@sluice/contracts';
import { token, type Context, type Token } from '@sluice/registry';
import { SluiceError, expandRequired, messageOf, type JsonObject } from '@sluice/base';
import type { Certificate } from '../certificates/certificate.ts';
import { normalName } from '../certificates/names.ts';
import { compileSelection, type Selection } from '../certificates/selection.ts';
import { clientAuthentication, type ClientAuthentication } from '../client-auth/client-authentication.ts';
import { expandGlobal } from '../global-text.ts';
import type { ContextOwner } from './context-cache.ts';
import { cipherList, curveList, known, versions } from './parameters.ts';

/** Protocols of the server that policies are for, with commas between them. */
export const serverProtocolsToken: Token<string> = token<string>('tls_server_protocols');

/** What OpenSSL is told. */
interface Parameters {
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
  readonly ciphers: string;
  readonly ecdhCurve: string;
}

/** Our order of suites counts; no one renegotiates, as in the reference: a client could make the server work for nothing. */
function serverOptions(tickets: boolean): number {
  const { SSL_OP_CIPHER_SERVER_PREFERENCE, SSL_OP_NO_RENEGOTIATION, SSL_OP_NO_TICKET } = constants;
  return SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION | (tickets ? 0 : SSL_OP_NO_TICKET);
}

/** In bytes; RFC 7301 §3.1. */
const longestProtocol = 255;
const longestProtocols = 65_535;

/** In `supported_versions` (RFC 8446 §4.2.1). */
const tls13 = 0x0304;

let policies = 0;

/** What a policy is made of beside its options. */
interface PolicyParts {
  /** Protocols of the server, for ALPN. */
  readonly protocols: readonly string[];
  readonly matchers: readonly HandshakeMatcher[];
  readonly client: ClientAuthentication | null;
}

/** One policy of a server. */
export class ConnectionPolicy implements ContextOwner {
  readonly number: number = ++policies;
  /** The same for policies of the same options, in every thread and configuration; sessions are resumed within it. */
  readonly key: string;
  readonly drop: boolean;
  /** Names that ALPN offers, each after its length; `null` for no ALPN. */
  readonly alpn: Buffer | null;
  readonly selection: Selection | null;
  readonly client: ClientAuthentication | null;
  /** Normal names, or empty. */
  readonly defaultSni: string;
  readonly fallbackSni: string;
  /** File for the secrets of connections, or `null`. */
  readonly secretsLog: string | null;
  readonly #matchers: readonly HandshakeMatcher[];
  readonly #parameters: Parameters;

  constructor(config: PolicyConfig, key: string, { protocols, matchers, client }: PolicyParts) {
    const alpn = config.alpn ?? [];
    this.key = key;
    this.drop = config.drop ?? false;
    this.alpn = encodeProtocols(alpn.length === 0 ? protocols : alpn);
    this.selection = compileSelection(config.certificate_selection);
    this.client = client;
    this.defaultSni = normalName(expandGlobal(config.default_sni ?? ''));
    this.fallbackSni = normalName(expandGlobal(config.fallback_sni ?? ''));
    this.secretsLog = expandRequired(config.insecure_secrets_log ?? '') || null;
    this.#matchers = matchers;
    this.#parameters = parametersOf(config);
  }

  /** Whether the policy is for a handshake. */
  matches(hello: ClientHello): boolean {
    for (const matcher of this.#matchers) if (!matcher.match(hello)) return false;
    return true;
  }

  /** Whether a handshake will be one of TLS 1.3, which is taken where both sides have it. */
  speaksTls13({ versions: offered }: ClientHello): boolean {
    return this.#parameters.maxVersion === 'TLSv1.3' && offered.includes(tls13);
  }

  /** What QUIC needs of the parameters; `null` where the policy rules out TLS 1.3, and QUIC with it (RFC 9001 §4.2). */
  get quicParameters(): { readonly groups: string; readonly protocols: readonly string[] } | null {
    return this.#parameters.maxVersion === 'TLSv1.3' ? { groups: this.#parameters.ecdhCurve, protocols: ['h3'] } : null;
  }

  /** Makes OpenSSL's context of a certificate under this policy; takes about a millisecond. */
  makeContext(certificate: Certificate, tickets: boolean): SecureContext {
    // Without a list OpenSSL would get all the authorities of Node, and let in whoever has a certificate of one of them.
    const ca = this.client === null ? null : [...(this.client.authorities?.certificates ?? [])];
    return createSecureContext({
      ...this.#parameters,
      cert: certificate.chain,
      key: certificate.key,
      secureOptions: serverOptions(tickets),
      // A session remembers whom authorities have let in, and those of a file, say, are not in the options.
      ...(ca === null ? { sessionIdContext: this.key } : { sessionIdContext: sessionKey([this.key, ca]), ca }),
    });
  }
}

/** Provisions a policy. */
export async function provisionPolicy(node: JsonObject, context: Context): Promise<ConnectionPolicy> {
  const config = node as PolicyConfig;
  checkProtocols(config.alpn ?? [], context);
  const protocols = context.use(serverProtocolsToken);
  const matchers = await context.loadMap(handshakeMatchers, config.match ?? {}, 'match');
  const auth = config.client_authentication ?? null;
  const client = auth === null ? null : await clientAuthentication(auth, context);
  const key = sessionKey([node, protocols]);
  try {
    return new ConnectionPolicy(config, key, {
      protocols: protocols === '' ? [] : protocols.split(','),
      matchers: [...matchers.values()],
      client,
    });
  } catch (error) {
    throw context.error(messageOf(error));
  }
}

/** Sessions are resumed where this is the same; OpenSSL takes 32 bytes at most. */
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

/** Names after their lengths, which are one byte and not 0 (RFC 7301 §3.1): OpenSSL takes no others. */
function encodeProtocols(names: readonly string[]): Buffer | null {
  if (names.length === 0) return null;
  return Buffer.concat(
    names.map((name) => {
      const bytes = Buffer.from(name);
      return Buffer.concat([Buffer.of(bytes.length), bytes]);
    }),
  );
}

/** Refuses names that no handshake could offer. */
function checkProtocols(names: readonly string[], context: Context): void {
  for (const [index, name] of names.entries()) {
    const { length } = Buffer.from(name);
    if (length === 0)
      throw context.error(
        'ALPN protocol names must not be empty; remove the name or use one such as h2',
        'alpn',
        index,
      );
    if (length > longestProtocol)
      throw context.error(
        `ALPN protocol names are limited to ${longestProtocol} bytes, but this one has ${length}`,
        'alpn',
        index,
      );
  }
  const total = names.reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0);
  if (total > longestProtocols)
    throw context.error(
      `ALPN protocol names are limited to ${longestProtocols} bytes in total, but these have ${total}`,
      'alpn',
    );
}
