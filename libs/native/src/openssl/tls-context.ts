/** State shared by similar TLS sessions: certificate, ALPN protocols, and session tickets. */
import { reportFault, byteAt } from '@sluice/base';
import { callbackOf, copyOf, textAt, writeByte, writePointer } from '../library.ts';
import { Handle } from '../handle.ts';
import { addressIn, Block } from '../memory.ts';
import { openssl, opensslError } from './functions.ts';
import { callingSession } from './calling-session.ts';
import { allowEarlyData, keepSessions } from './early-data.ts';
import { readCertificates, withBio } from './pem.ts';

/** Command numbers to pass to `SSL_CTX_ctrl`. */
const control = {
  mode: 33,
  sessionCache: 44,
  ticketKeys: 59,
  stapleCallback: 63,
  chainCertificate: 89,
  groups: 92,
  minVersion: 123,
  maxVersion: 124,
};
const tls13 = 0x0304n;
const releaseBuffers = 0x10n;
const verify = { none: 0, peer: 1, requirePeer: 2 };
/** Return values of the ALPN callback. */
const alpn = { accepted: 0, fatal: 2 };

export interface TlsContextOptions {
  readonly isServer: boolean;
  /** Certificate chain in PEM format, starting with the leaf. `null` means no certificate. */
  readonly certificate: string | null;
  readonly key: string | null;
  /** ALPN protocols in order of preference. */
  readonly protocols: readonly string[];
  /** Trusted CA certificates in PEM format. On a client, an empty list selects the system's trust store. */
  readonly authorities: readonly string[];
  /** Verification of the peer certificate. A server can request or require a client certificate. A client can verify the server certificate. */
  readonly verification: 'none' | 'request' | 'require';
  /** Completes handshakes even with untrusted certificates. The caller must verify the certificates. */
  readonly acceptsAny?: boolean;
  /** Allows a server to accept early data. A rule decides for each session. */
  readonly earlyData?: boolean;
  /** Allows a client to keep sessions for resumption. */
  readonly keepsSessions?: boolean;
  /** Enables the TLS key log of sessions. */
  readonly logsSecrets?: boolean;
  /** Session ticket keys of 80 bytes, shared by all contexts that may resume each other's sessions. `null` disables tickets. */
  readonly ticketKeys: Buffer | null;
  /** Key exchange groups as OpenSSL names, separated by colons. */
  readonly groups?: string;
  /** TLS 1.3 cipher suites as OpenSSL names, separated by colons. */
  readonly ciphersuites?: string;
}

/** An OpenSSL context. The owner must free it once no new sessions need it. Existing sessions continue. */
export class TlsContext {
  readonly #handle: Handle;
  /** Memory that C references: protocol names and callback state. */
  readonly #protocols: Block;
  readonly #names = new Map<string, bigint>();
  readonly options: TlsContextOptions;
  readonly #id: bigint = ++lastId;
  #sessions = 0;

  /** Throws with OpenSSL's reason if a certificate or key is invalid. */
  constructor(options: TlsContextOptions) {
    const { SSL_CTX_new, SSL_CTX_free, TLS_server_method, TLS_client_method, ERR_clear_error } = openssl();
    ERR_clear_error();
    this.options = options;
    const method = options.isServer ? TLS_server_method() : TLS_client_method();
    this.#handle = new Handle(SSL_CTX_new(method), SSL_CTX_free, () => opensslError('cannot create a TLS context'));
    this.#protocols = new Block(256);
    try {
      this.#configure(options);
    } catch (error) {
      this.#handle.free();
      throw error;
    }
  }

  get address(): bigint {
    return this.#handle.address;
  }

  #configure({ certificate, key, ciphersuites, groups, isServer, ticketKeys }: TlsContextOptions): void {
    const functions = openssl();
    const context = this.#handle.address;
    functions.SSL_CTX_ctrl(context, control.minVersion, tls13, 0n);
    functions.SSL_CTX_ctrl(context, control.maxVersion, tls13, 0n);
    functions.SSL_CTX_ctrl(context, control.mode, releaseBuffers, 0n);
    functions.SSL_CTX_ctrl(context, control.sessionCache, 0n, 0n);
    if (ciphersuites !== undefined && functions.SSL_CTX_set_ciphersuites(context, ciphersuites) !== 1)
      throw opensslError(`OpenSSL does not support cipher suites ${ciphersuites}`);
    if (groups !== undefined) {
      const text = Buffer.from(`${groups}\0`, 'latin1');
      if (functions.SSL_CTX_ctrl(context, control.groups, 0n, addressIn(text, 0, text.length)) !== 1n)
        throw opensslError(`OpenSSL does not support groups ${groups}`);
    }
    functions.SSL_CTX_set_session_id_context(context, 'sluice', 6);
    functions.SSL_CTX_set_num_tickets(context, ticketKeys === null ? 0n : 1n);
    if (ticketKeys !== null)
      functions.SSL_CTX_ctrl(context, control.ticketKeys, BigInt(ticketKeys.length), addressIn(ticketKeys, 0, 80));
    if (certificate !== null) this.#useCertificates(certificate);
    if (key !== null) this.#useKey(key);
    this.#setVerification();
    if (this.options.earlyData === true) allowEarlyData(context);
    if (this.options.keepsSessions === true) keepSessions(context);
    if (this.options.logsSecrets === true) functions.SSL_CTX_set_keylog_callback(context, secretCallback());
    if (!isServer) return;
    this.#setProtocols();
    functions.SSL_CTX_callback_ctrl(context, control.stapleCallback, stapleCallback());
  }

  #useCertificates(pem: string): void {
    const { SSL_CTX_use_certificate, SSL_CTX_ctrl, X509_free } = openssl();
    const [leaf, ...chain] = readCertificates(pem);
    if (leaf === undefined) throw opensslError('the PEM data does not contain a certificate');
    const used = SSL_CTX_use_certificate(this.#handle.address, leaf);
    X509_free(leaf);
    if (used !== 1) throw opensslError('OpenSSL rejected the certificate');
    // The context takes ownership of the intermediate certificates.
    for (const each of chain) SSL_CTX_ctrl(this.#handle.address, control.chainCertificate, 0n, each);
  }

  #useKey(pem: string): void {
    const { PEM_read_bio_PrivateKey, SSL_CTX_use_PrivateKey, EVP_PKEY_free } = openssl();
    withBio(pem, (bio) => {
      const key = PEM_read_bio_PrivateKey(bio, 0n, 0n, 0n);
      if (key === 0n) throw opensslError('the private key cannot be read');
      const used = SSL_CTX_use_PrivateKey(this.#handle.address, key);
      EVP_PKEY_free(key);
      if (used !== 1) throw opensslError('the private key cannot be used');
    });
  }

  #setVerification(): void {
    const { verification, authorities, isServer } = this.options;
    const functions = openssl();
    const context = this.#handle.address;
    const required = verification === 'require' ? verify.peer | verify.requirePeer : verify.peer;
    functions.SSL_CTX_set_verify(
      context,
      verification === 'none' ? verify.none : required,
      this.options.acceptsAny === true ? acceptCallback() : 0n,
    );
    const store = functions.SSL_CTX_get_cert_store(context);
    for (const pem of authorities)
      for (const certificate of readCertificates(pem)) {
        functions.X509_STORE_add_cert(store, certificate);
        // Send the names of these CAs, because clients use them to select their certificate.
        if (isServer) functions.SSL_CTX_add_client_CA(context, certificate);
        functions.X509_free(certificate);
      }
    if (!isServer && verification !== 'none' && authorities.length === 0)
      functions.SSL_CTX_set_default_verify_paths(context);
  }

  #setProtocols(): void {
    let at = 0;
    for (const name of this.options.protocols) {
      this.#protocols.bytes.write(name, at, 'latin1');
      this.#names.set(name, this.#protocols.at(at, name.length));
      at += name.length;
    }
    protocolsOf.set(this.#id, this.#names);
    openssl().SSL_CTX_set_alpn_select_cb(this.#handle.address, alpnCallback(), this.#id);
  }

  /** Counts a session. The protocol names must stay in memory until all sessions have ended. */
  retain(): void {
    this.#sessions += 1;
  }

  release(): void {
    this.#sessions -= 1;
    if (this.#sessions === 0 && this.#handle.freed) protocolsOf.delete(this.#id);
  }

  /** Idempotent. */
  free(): void {
    this.#handle.free();
    if (this.#sessions === 0) protocolsOf.delete(this.#id);
  }
}

/** Protocol names and their addresses, by context ID. */
const protocolsOf = new Map<bigint, ReadonlyMap<string, bigint>>();
let lastId = 0n;
let selectProtocol = 0n;

/** Returns the ALPN callback shared by all contexts of a thread. C passes the context ID instead of an address. */
function alpnCallback(): bigint {
  if (selectProtocol !== 0n) return selectProtocol;
  selectProtocol = callbackOf(
    ['i', 'p', 'p', 'p', 'p', 'u', 'p'],
    (...[, out, outLength, offered, length, id]) => {
      const names = protocolsOf.get(id);
      if (names === undefined) return alpn.fatal;
      const list = copyOf(offered, length);
      const wanted = new Set<string>();
      for (let i = 0; i < list.length; i += 1 + byteAt(list, i))
        wanted.add(list.toString('latin1', i + 1, i + 1 + byteAt(list, i)));
      for (const [name, address] of names) {
        if (!wanted.has(name)) continue;
        writePointer(out, address);
        writeByte(outLength, name.length);
        return alpn.accepted;
      }
      return alpn.fatal;
    },
    { failure: alpn.fatal, report: (error) => reportFault({ part: 'connection', error }) },
  );
  return selectProtocol;
}

let accept = 0n;

/** Returns a callback that accepts all certificates, regardless of verification errors. */
function acceptCallback(): bigint {
  if (accept === 0n) accept = callbackOf(['i', 'i', 'p'], () => 1, { failure: 0, report: ignore });
  return accept;
}

let staple = 0n;
/** Return values of the OCSP callback. */
const stapled = { sent: 0, none: 3 } as const;

function stapleCallback(): bigint {
  if (staple === 0n)
    staple = callbackOf(['i', 'p', 'p'], () => (callingSession()?.hasStaple === true ? stapled.sent : stapled.none), {
      failure: stapled.none,
      report: ignore,
    });
  return staple;
}

let secrets = 0n;

function secretCallback(): bigint {
  if (secrets === 0n)
    secrets = callbackOf(['v', 'p', 'p'], (_ssl, line) => callingSession()?.secretLine(textAt(line)), {
      failure: undefined,
      report: (error) => reportFault({ part: 'connection', error }),
    });
  return secrets;
}

/** No-op callback. OpenSSL callbacks must never throw. */
function ignore(): void {}
