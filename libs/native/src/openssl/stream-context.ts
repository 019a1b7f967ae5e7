/** State shared by TLS sessions over TCP: certificate, versions, ciphers, ALPN protocols, and session tickets. */
import { byteAt, reportFault } from '@sluice/base';
import { bytesAt, callbackOf, writeByte, writePointer } from '../library.ts';
import { Handle } from '../handle.ts';
import { addressIn, Block } from '../memory.ts';
import { openssl, opensslError } from './functions.ts';
import { readCertificates, withBio } from './pem.ts';
import { runningSession } from './running-session.ts';
import { streamFunctions } from './stream-functions.ts';
import { ticketCallback, type TicketKeyring } from './ticket-callback.ts';

export interface StreamContextOptions {
  /** Certificate chain in PEM format, starting with the leaf. */
  readonly certificate: string;
  readonly key: string;
  /** Minimum and maximum TLS version, such as 0x0304 for TLS 1.3. */
  readonly minVersion: number;
  readonly maxVersion: number;
  /** Cipher suites as OpenSSL names separated by colons: one list for TLS 1.2, and one for TLS 1.3. */
  readonly ciphers: string;
  readonly ciphersuites: string;
  /** Key exchange groups as OpenSSL names, separated by colons. */
  readonly groups: string;
  /** `SSL_OP_*` options. */
  readonly options: number;
  /** ALPN names with length prefixes, in order of preference; `null` disables ALPN. */
  readonly alpn: Buffer | null;
  /** Session ID context of at most 32 characters. Sessions can be resumed only in contexts with the same ID. */
  readonly sessionId: string;
  readonly sendsTickets: boolean;
  /** Session ticket keys. If `null`, OpenSSL uses its own keys. */
  readonly ticketKeys: TicketKeyring | null;
  readonly verification: 'none' | 'request' | 'require';
  /** Trusted CA certificates for client certificates, in PEM format. */
  readonly authorities: readonly string[];
}

/** Command numbers for `SSL_CTX_ctrl` and `SSL_CTX_callback_ctrl`. */
const control = {
  mode: 33,
  sessionCache: 44,
  serverNameCallback: 53,
  stapleCallback: 63,
  chainCertificate: 89,
  groups: 92,
  minVersion: 123,
  maxVersion: 124,
};
const releaseBuffers = 0x10n;
const verify = { none: 0, peer: 1, requirePeer: 2 };
const alpnResult = { accepted: 0, fatal: 2 };
const stapleResult = { sent: 0, none: 3 };

export class StreamContext {
  readonly options: StreamContextOptions;
  /** ALPN protocol names, in the format that OpenSSL reads. */
  readonly names: Block;
  readonly #handle: Handle;

  /** Throws with OpenSSL's reason if a certificate, key or parameter is invalid. */
  constructor(options: StreamContextOptions) {
    const { SSL_CTX_new, SSL_CTX_free, TLS_server_method, ERR_clear_error } = openssl();
    ERR_clear_error();
    this.options = options;
    this.names = new Block(options.alpn?.length ?? 0);
    options.alpn?.copy(this.names.bytes);
    this.#handle = new Handle(SSL_CTX_new(TLS_server_method()), SSL_CTX_free, () =>
      opensslError('cannot create a TLS context'),
    );
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

  #configure(options: StreamContextOptions): void {
    const functions = openssl();
    const streams = streamFunctions();
    const context = this.#handle.address;
    const { ciphers, ciphersuites, groups } = options;
    functions.SSL_CTX_ctrl(context, control.minVersion, BigInt(options.minVersion), 0n);
    functions.SSL_CTX_ctrl(context, control.maxVersion, BigInt(options.maxVersion), 0n);
    functions.SSL_CTX_ctrl(context, control.mode, releaseBuffers, 0n);
    functions.SSL_CTX_ctrl(context, control.sessionCache, 0n, 0n);
    functions.SSL_CTX_set_options(context, BigInt(options.options));
    if (functions.SSL_CTX_set_ciphersuites(context, ciphersuites) !== 1)
      throw opensslError(`OpenSSL does not support cipher suites ${ciphersuites}`);
    if (streams.SSL_CTX_set_cipher_list(context, ciphers) !== 1)
      throw opensslError(`OpenSSL does not support cipher suites ${ciphers}`);
    const text = Buffer.from(`${groups}\0`, 'latin1');
    if (functions.SSL_CTX_ctrl(context, control.groups, 0n, addressIn(text, 0, text.length)) !== 1n)
      throw opensslError(`OpenSSL does not support groups ${groups}`);
    functions.SSL_CTX_set_session_id_context(context, options.sessionId, options.sessionId.length);
    // Never enable tickets here, because an OpenSSL configuration file may have disabled them.
    if (!options.sendsTickets) functions.SSL_CTX_set_num_tickets(context, 0n);
    else if (streams.SSL_CTX_get_num_tickets(context) > 0n) functions.SSL_CTX_set_num_tickets(context, 1n);
    if (options.ticketKeys !== null)
      streams.SSL_CTX_set_tlsext_ticket_key_evp_cb(
        context,
        ticketCallback(() => runningSession()?.context.options.ticketKeys ?? null),
      );
    this.#useCertificates(options);
    this.#setVerification(options);
    if (options.alpn !== null) functions.SSL_CTX_set_alpn_select_cb(context, alpnCallback(), 0n);
    functions.SSL_CTX_callback_ctrl(context, control.serverNameCallback, serverNameCallback());
    functions.SSL_CTX_callback_ctrl(context, control.stapleCallback, stapleCallback());
  }

  #useCertificates({ certificate, key: pem }: StreamContextOptions): void {
    const functions = openssl();
    const context = this.#handle.address;
    const [leaf, ...chain] = readCertificates(certificate);
    if (leaf === undefined) throw opensslError('the PEM data does not contain a certificate');
    const used = functions.SSL_CTX_use_certificate(context, leaf);
    functions.X509_free(leaf);
    // The context takes ownership of the intermediate certificates.
    for (const each of chain) functions.SSL_CTX_ctrl(context, control.chainCertificate, 0n, each);
    if (used !== 1) throw opensslError('OpenSSL rejected the certificate');
    withBio(pem, (bio) => {
      const key = functions.PEM_read_bio_PrivateKey(bio, 0n, 0n, 0n);
      if (key === 0n) throw opensslError('the private key cannot be read');
      const isUsed = functions.SSL_CTX_use_PrivateKey(context, key);
      functions.EVP_PKEY_free(key);
      if (isUsed !== 1) throw opensslError('the private key cannot be used');
    });
  }

  #setVerification({ verification, authorities }: StreamContextOptions): void {
    if (verification === 'none') return;
    const functions = openssl();
    const context = this.#handle.address;
    const mode = verification === 'require' ? verify.peer | verify.requirePeer : verify.peer;
    // The handshake completes with any certificate. The caller evaluates the verification result.
    functions.SSL_CTX_set_verify(context, mode, acceptCallback());
    const store = functions.SSL_CTX_get_cert_store(context);
    for (const pem of authorities)
      for (const certificate of readCertificates(pem)) {
        functions.X509_STORE_add_cert(store, certificate);
        functions.SSL_CTX_add_client_CA(context, certificate);
        functions.X509_free(certificate);
      }
  }

  /** Frees the context. Repeated calls have no effect. Existing sessions continue. */
  free(): void {
    this.#handle.free();
  }
}

let selectProtocol = 0n;
/** Maximum size of an offer to copy, in bytes. Copying a small offer takes less time than creating a view of C memory. */
const maxOffered = 256;
let offers: Block | null = null;

function alpnCallback(): bigint {
  return (selectProtocol ||= callbackOf(
    ['i', 'p', 'p', 'p', 'p', 'u', 'p'],
    (...[, out, outLength, offered, length]) => {
      const session = runningSession();
      const names = session?.context.options.alpn ?? null;
      if (session === null || names === null) return alpnResult.fatal;
      const list = offeredNames(offered, length);
      for (let i = 0; i < names.length; i += 1 + byteAt(names, i))
        for (let at = 0; at < length; at += 1 + byteAt(list, at))
          if (isSameName(names, i, list, at)) {
            writePointer(out, session.context.names.at(i + 1, byteAt(names, i)));
            writeByte(outLength, byteAt(names, i));
            session.protocol = names.toString('utf8', i + 1, i + 1 + byteAt(names, i));
            return alpnResult.accepted;
          }
      return alpnResult.fatal;
    },
    { failure: alpnResult.fatal, report },
  ));
}

/** Returns the offered names. The result is valid until the next call. */
function offeredNames(address: bigint, length: number): Buffer {
  if (length > maxOffered) return bytesAt(address, length);
  offers ??= new Block(maxOffered).pin();
  streamFunctions().memcpy(offers.at(0, length), address, BigInt(length));
  return offers.bytes;
}

/** Reports whether two length-prefixed names are equal. OpenSSL has already checked that the offered list is well-formed. */
function isSameName(one: Buffer, at: number, other: Buffer, otherAt: number): boolean {
  const size = 1 + byteAt(one, at);
  for (let i = 0; i < size; i++) if (one[at + i] !== other[otherAt + i]) return false;
  return true;
}

let serverName = 0n;

/** Acknowledges the server name (RFC 6066 §3). The certificate has already been selected. */
function serverNameCallback(): bigint {
  return (serverName ||= callbackOf(['i', 'p', 'p', 'p'], () => 0, { failure: 0, report }));
}

let staple = 0n;

function stapleCallback(): bigint {
  return (staple ||= callbackOf(
    ['i', 'p', 'p'],
    () => (runningSession()?.hasStaple === true ? stapleResult.sent : stapleResult.none),
    { failure: stapleResult.none, report },
  ));
}

let accept = 0n;

function acceptCallback(): bigint {
  return (accept ||= callbackOf(['i', 'i', 'p'], () => 1, { failure: 0, report }));
}

function report(error: unknown): void {
  reportFault({ part: 'connection', error });
}
