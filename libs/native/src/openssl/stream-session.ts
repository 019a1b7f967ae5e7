/** Server side of a TLS session over TCP. */
import { bytesAt, textAt } from '../library.ts';
import { Handle } from '../handle.ts';
import { addressIn, Block } from '../memory.ts';
import { bytePipe } from './byte-pipe.ts';
import { openssl, opensslError } from './functions.ts';
import { derOf } from './pem.ts';
import { setRunning, type RunningSession } from './running-session.ts';
import type { StreamContext } from './stream-context.ts';
import { streamFunctions } from './stream-functions.ts';

/** Results of `SSL_get_error`. */
const wants = { read: 2, write: 3, nothing: 6 };
const setStaple = 71;

/** Maximum number of bytes to encrypt in one call. */
export const maxEncrypted: number = 128 * 1024;
/**
 * Size of the buffer for the decrypted bytes of one read, in bytes. A read processes at most 64 KiB of input, and the session may also hold
 * an incomplete record.
 */
const plainSize = 96 * 1024;

interface Places {
  /** Decrypted bytes. */
  readonly plain: Block;
  /** Strings before encryption. */
  readonly text: Block;
}

let places: Places | null = null;

function shared(): Places {
  return (places ??= { plain: new Block(plainSize).pin(), text: new Block(maxEncrypted).pin() });
}

const suiteNames = new Map<number, string>();

/** A server-side TLS session. Input and output pass through the thread's BIO pair, so the caller must send the output before another session runs. */
export class StreamSession implements RunningSession {
  readonly context: StreamContext;
  /** Negotiated ALPN protocol; empty if none. */
  protocol = '';
  /** Reason why the session can't continue, or `null`. */
  failure: Error | null = null;
  /** True after the peer has sent its last byte. */
  ended = false;
  readonly hasStaple: boolean;
  readonly #ssl: Handle;

  constructor(context: StreamContext, stapled: Uint8Array | null) {
    const { SSL_new, SSL_free, SSL_set_accept_state } = openssl();
    const { SSL_set_bio, BIO_up_ref } = streamFunctions();
    this.context = context;
    this.hasStaple = (stapled?.length ?? 0) > 0;
    this.#ssl = new Handle(SSL_new(context.address), SSL_free, () => opensslError('cannot create a TLS session'));
    const ssl = this.#ssl.address;
    const { inner } = bytePipe();
    // Add a reference. The session owns one reference per BIO, and both BIOs are the same object.
    BIO_up_ref(inner);
    SSL_set_bio(ssl, inner, inner);
    SSL_set_accept_state(ssl);
    if (stapled !== null && stapled.length > 0) staple(ssl, stapled);
  }

  /** Passes encrypted bytes to the session as input. */
  feed(bytes: Buffer, from: number, end: number): void {
    // Throw, because bytes that are fed to a freed session would reach the next session.
    if (this.#ssl.freed) throw new Error('use after free of a TLS session');
    bytePipe().feed(bytes, from, end);
  }

  /** Continues the handshake with the fed bytes. Returns true once the handshake is complete. */
  handshake(): boolean {
    const { SSL_do_handshake, ERR_clear_error } = openssl();
    const ssl = this.#ssl.address;
    ERR_clear_error();
    setRunning(this);
    const result = SSL_do_handshake(ssl);
    setRunning(null);
    if (result === 1) return true;
    this.#explain(ssl, result, 'TLS handshake failed');
    return false;
  }

  /** Decrypts all fed bytes into {@link plainBytes}. Returns the number of decrypted bytes. */
  read(): number {
    const { SSL_read, ERR_clear_error } = openssl();
    const ssl = this.#ssl.address;
    const { plain } = shared();
    let at = 0;
    ERR_clear_error();
    setRunning(this);
    for (;;) {
      const result = SSL_read(ssl, plain.at(at, plainSize - at), plainSize - at);
      if (result > 0) {
        at += result;
        if (!bytePipe().hasInput) break;
        if (at < plainSize) continue;
        this.failure = new Error('a TLS read exceeds the buffer for decrypted bytes');
        bytePipe().discardInput();
      } else this.#explain(ssl, result, 'TLS failed');
      break;
    }
    setRunning(null);
    return at;
  }

  #explain(ssl: bigint, result: number, what: string): void {
    const reason = openssl().SSL_get_error(ssl, result);
    if (reason === wants.read) return;
    if (reason === wants.nothing) this.ended = true;
    else this.failure = opensslError(what);
    bytePipe().discardInput();
  }

  /** Encrypts up to {@link maxEncrypted} bytes. */
  write(bytes: Buffer, from: number, end: number): void {
    this.#write(addressIn(bytes, from, end - from), end - from);
  }

  /** Encrypts the first `size` bytes of {@link textBytes}. */
  writeText(size: number): void {
    this.#write(shared().text.at(0, size), size);
  }

  #write(address: bigint, size: number): void {
    const { ERR_clear_error, SSL_get_error } = openssl();
    ERR_clear_error();
    setRunning(this);
    const result = streamFunctions().SSL_write(this.#ssl.address, address, size);
    setRunning(null);
    if (result === size) return;
    SSL_get_error(this.#ssl.address, result);
    this.failure = opensslError('cannot encrypt');
  }

  /** Sends a `close_notify` alert, which marks the end of the output. */
  end(): void {
    const { ERR_clear_error } = openssl();
    ERR_clear_error();
    streamFunctions().SSL_shutdown(this.#ssl.address);
    ERR_clear_error();
  }

  /**
   * Writes the output to a non-blocking file descriptor. Writes nothing if the descriptor is negative. Returns a copy of the bytes that
   * were not written.
   */
  sendTo(descriptor: number): Buffer | null {
    return bytePipe().sendTo(descriptor);
  }

  get resumed(): boolean {
    return openssl().SSL_session_reused(this.#ssl.address) === 1;
  }

  /** Negotiated TLS version, such as 0x0304 for TLS 1.3. */
  get version(): number {
    return streamFunctions().SSL_version(this.#ssl.address);
  }

  /** IANA number of the cipher suite. */
  get suite(): number {
    const { SSL_get_current_cipher, SSL_CIPHER_get_protocol_id } = openssl();
    return SSL_CIPHER_get_protocol_id(SSL_get_current_cipher(this.#ssl.address)) & 0xffff;
  }

  /** IANA name of the cipher suite. */
  get suiteName(): string {
    const { suite } = this;
    let name = suiteNames.get(suite);
    if (name === undefined) {
      const cipher = openssl().SSL_get_current_cipher(this.#ssl.address);
      suiteNames.set(suite, (name = textAt(streamFunctions().SSL_CIPHER_standard_name(cipher))));
    }
    return name;
  }

  /** DER-encoded client certificate; `null` if the client sent none. */
  get peerCertificate(): Buffer | null {
    const { SSL_get1_peer_certificate, X509_free } = openssl();
    const certificate = SSL_get1_peer_certificate(this.#ssl.address);
    if (certificate === 0n) return null;
    const der = derOf(certificate);
    X509_free(certificate);
    return der;
  }

  /** DER-encoded issuers of the client certificate: the verified chain, or the certificates that the client sent if verification failed. */
  get peerChain(): readonly Buffer[] {
    const { SSL_get_peer_cert_chain, SSL_get_verify_result, OPENSSL_sk_num, OPENSSL_sk_value } = openssl();
    const ssl = this.#ssl.address;
    const verified = SSL_get_verify_result(ssl) === 0n ? streamFunctions().SSL_get0_verified_chain(ssl) : 0n;
    const stack = verified === 0n ? SSL_get_peer_cert_chain(ssl) : verified;
    const first = verified === 0n ? 0 : 1;
    const count = stack === 0n ? 0 : Math.max(0, OPENSSL_sk_num(stack) - first);
    return Array.from({ length: count }, (_, i) => derOf(OPENSSL_sk_value(stack, i + first)));
  }

  /** Reason why OpenSSL doesn't trust the client certificate; `null` if it is trusted. */
  get peerProblem(): string | null {
    const { SSL_get_verify_result, X509_verify_cert_error_string } = openssl();
    const result = SSL_get_verify_result(this.#ssl.address);
    return result === 0n ? null : textAt(X509_verify_cert_error_string(result));
  }

  /** Idempotent. */
  free(): void {
    this.#ssl.free();
  }
}

/**
 * Returns the buffer that contains the decrypted bytes of the last {@link StreamSession.read}. The bytes are valid until the next read in
 * this thread.
 */
export function plainBytes(): Buffer {
  return shared().plain.bytes;
}

/** Returns the input buffer for {@link StreamSession.writeText}. */
export function textBytes(): Buffer {
  return shared().text.bytes;
}

/** Staples an OCSP response. OpenSSL frees the response with the session. */
function staple(ssl: bigint, response: Uint8Array): void {
  const { CRYPTO_malloc, SSL_ctrl } = openssl();
  const address = CRYPTO_malloc(BigInt(response.length), null, 0);
  if (address === 0n) return;
  bytesAt(address, response.length).set(response);
  SSL_ctrl(ssl, setStaple, BigInt(response.length), address);
}
