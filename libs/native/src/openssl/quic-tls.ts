/**
 * TLS 1.3 for QUIC. Uses OpenSSL's handshake without the record layer (RFC 9001 §4). OpenSSL uses callbacks for outgoing bytes, received
 * bytes and secrets. Their results are queued and passed to the connection after the OpenSSL call. No code outside this package runs within
 * an OpenSSL call, and no exception passes through C.
 */
import { isIP } from 'node:net';
import { numberAt } from '@sluice/base';
import { bytesAt, callbackOf, copyOf, textAt, writePointer } from '../library.ts';
import { Handle } from '../handle.ts';
import { addressIn, Block } from '../memory.ts';
import { openssl, opensslError } from './functions.ts';
import { callingSession, enter, type CallingSession } from './calling-session.ts';
import type { EarlyDataRule, TlsClientSession } from './resumption.ts';
import { derOf } from './pem.ts';
import type { TlsContext } from './tls-context.ts';

/** Encryption levels, in the same order as in OpenSSL and in `level` of `@sluice/quic`. */
const level = { initial: 0, early: 1, handshake: 2, application: 3 } as const;

/** Receiver of TLS events. Identical to `TlsEvents` in `@sluice/quic`. */
export interface QuicTlsEvents {
  onCryptoData(level: number, bytes: Buffer): void;
  onSecret(secret: {
    readonly level: number;
    readonly direction: 'read' | 'write';
    readonly suiteId: number;
    readonly bytes: Buffer;
  }): void;
  onTransportParameters(bytes: Buffer): void;
  onAlert(alert: number, reason: string): void;
  onComplete(): void;
}

export interface QuicTlsOptions {
  readonly context: TlsContext;
  /** Encoded local transport parameters. */
  readonly parameters: Buffer;
  /** Name that a client expects in the server certificate. The client also sends it as SNI, unless it is an IP address. */
  readonly serverName?: string;
  /** False if the caller verifies the names in the certificate. Default: true. */
  readonly checksName?: boolean;
  /** DER-encoded OCSP response to staple to a server certificate. */
  readonly staple?: Uint8Array | null;
  /** Rule for early data on a server whose context enables `earlyData`. `null` rejects early data. */
  readonly earlyData?: EarlyDataRule | null;
  /** Session for a client to resume if the server accepts it. The caller keeps ownership. */
  readonly session?: TlsClientSession | null;
  /** Receives resumable sessions on a client whose context enables `keepsSessions`. The receiver takes ownership. */
  readonly onSession?: (session: TlsClientSession) => void;
  /** Receives session secrets as key log lines if the context enables `logsSecrets`. */
  readonly onSecretLine?: (line: string) => void;
}

/** Callback numbers OSSL_FUNC_SSL_QUIC_TLS_*. */
const dispatch = { send: 2001, receive: 2002, release: 2003, secret: 2004, parameters: 2005, alert: 2006 } as const;
const wantsRead = 2;
const setHostName = 55;
const setStaple = 71;
const internalError = 80;
/** SSL_SENT_SHUTDOWN and SSL_RECEIVED_SHUTDOWN. */
const shutdownDone = 3;

type PendingEvent = (events: QuicTlsEvents) => void;

export class QuicTls implements CallingSession {
  readonly #options: QuicTlsOptions;
  readonly #ssl: Handle;
  /** Local transport parameters. Stored here because OpenSSL keeps a pointer to the block and does not copy it. */
  readonly #parameters: Block;
  #events: QuicTlsEvents | null = null;
  /** Received bytes that OpenSSL has not read yet, by encryption level. OpenSSL reads them in place. */
  readonly #received: (Block | null)[] = [null, null, null, null];
  readonly #receivedEnd: number[] = [0, 0, 0, 0];
  readonly #receivedAt: number[] = [0, 0, 0, 0];
  #readLevel: number = level.initial;
  #writeLevel: number = level.initial;
  #pendingEvents: PendingEvent[] = [];
  #complete = false;
  /** True once the secret that decrypts the peer's 1-RTT packets is available. */
  #hasReadSecret = false;
  #alerted = false;
  #failed = false;
  #fault: Error | null = null;
  #released = false;

  constructor(options: QuicTlsOptions) {
    const functions = openssl();
    this.#options = options;
    this.#ssl = new Handle(functions.SSL_new(options.context.address), functions.SSL_free, () =>
      opensslError('cannot create a TLS session'),
    );
    options.context.retain();
    this.#parameters = new Block(options.parameters.length);
    options.parameters.copy(this.#parameters.bytes);
    try {
      this.#configure();
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #configure(): void {
    const functions = openssl();
    const ssl = this.#ssl.address;
    const { context, parameters, serverName, checksName = true } = this.#options;
    if (functions.SSL_set_quic_tls_cbs(ssl, dispatchTable(), 0n) !== 1)
      throw opensslError('OpenSSL rejected the QUIC callbacks');
    const { length } = parameters;
    if (functions.SSL_set_quic_tls_transport_params(ssl, this.#parameters.at(0, length), BigInt(length)) !== 1)
      throw opensslError('OpenSSL rejected the transport parameters');
    if (context.options.isServer) {
      functions.SSL_set_accept_state(ssl);
      this.#setStaple();
      if (this.earlyData !== null) functions.SSL_set_quic_tls_early_data_enabled(ssl, 1);
      return;
    }
    functions.SSL_set_connect_state(ssl);
    if (this.#options.session != null) functions.SSL_set_session(ssl, this.#options.session.address);
    const names = context.options.protocols.map((name) => Buffer.from(name, 'latin1'));
    const list = Buffer.concat(names.flatMap((name) => [Buffer.from([name.length]), name]));
    const block = new Block(list.length);
    list.copy(block.bytes);
    functions.SSL_set_alpn_protos(ssl, block.at(0, list.length), list.length);
    if (serverName === undefined) return;
    if (isIP(serverName) === 0) {
      const name = Buffer.from(`${serverName}\0`, 'latin1');
      functions.SSL_ctrl(ssl, setHostName, 0n, addressIn(name, 0, name.length));
    }
    if (checksName) functions.SSL_set1_host(ssl, serverName);
  }

  /** True if this session resumes an earlier session. */
  get resumed(): boolean {
    return !this.#ssl.freed && openssl().SSL_session_reused(this.#ssl.address) === 1;
  }

  /** Sets the stapled OCSP response. OpenSSL frees the response with the session. */
  #setStaple(): void {
    const { staple } = this.#options;
    if (staple == null || staple.length === 0) return;
    const { CRYPTO_malloc, SSL_ctrl } = openssl();
    const address = CRYPTO_malloc(BigInt(staple.length), null, 0);
    if (address === 0n) return;
    bytesAt(address, staple.length).set(staple);
    SSL_ctrl(this.#ssl.address, setStaple, BigInt(staple.length), address);
  }

  /** True if an OCSP response is stapled to the certificate. */
  get hasStaple(): boolean {
    return (this.#options.staple?.length ?? 0) > 0;
  }

  get earlyData(): EarlyDataRule | null {
    return this.#options.earlyData ?? null;
  }

  get wantsSessions(): boolean {
    return this.#options.onSession !== undefined;
  }

  newSession(session: TlsClientSession): void {
    this.#pendingEvents.push(() => this.#options.onSession?.(session));
  }

  /** Receives a line of the TLS key log. */
  secretLine(line: string): void {
    this.#options.onSecretLine?.(line);
  }

  /** DER-encoded peer certificate; `null` if the peer sent none. */
  get peerCertificate(): Buffer | null {
    const { SSL_get1_peer_certificate, X509_free } = openssl();
    const certificate = SSL_get1_peer_certificate(this.#ssl.address);
    if (certificate === 0n) return null;
    const der = derOf(certificate);
    X509_free(certificate);
    return der;
  }

  /** Additional DER-encoded certificates that the peer sent. */
  get peerChain(): readonly Buffer[] {
    const { SSL_get_peer_cert_chain, OPENSSL_sk_num, OPENSSL_sk_value } = openssl();
    const stack = SSL_get_peer_cert_chain(this.#ssl.address);
    if (stack === 0n) return [];
    return Array.from({ length: Math.max(0, OPENSSL_sk_num(stack)) }, (_, i) => derOf(OPENSSL_sk_value(stack, i)));
  }

  /** Reason why OpenSSL doesn't trust the peer certificate; `null` if it is trusted. */
  get peerProblem(): string | null {
    const { SSL_get_verify_result, X509_verify_cert_error_string } = openssl();
    const result = SSL_get_verify_result(this.#ssl.address);
    return result === 0n ? null : textAt(X509_verify_cert_error_string(result));
  }

  start(events: QuicTlsEvents): void {
    this.#events = events;
    if (!this.#options.context.options.isServer) this.#drive();
  }

  receive(atLevel: number, bytes: Buffer): void {
    // After a failure, OpenSSL may still reference bytes that `#keep` would replace.
    if (this.#ssl.freed || this.#failed) return;
    this.#keep(atLevel, bytes);
    this.#drive();
  }

  #keep(atLevel: number, bytes: Buffer): void {
    const before = this.#received[atLevel] ?? null;
    const start = numberAt(this.#receivedAt, atLevel);
    const left = numberAt(this.#receivedEnd, atLevel) - start;
    const block = new Block(left + bytes.length);
    if (before !== null) before.bytes.copy(block.bytes, 0, start, start + left);
    bytes.copy(block.bytes, left);
    this.#received[atLevel] = block;
    this.#receivedAt[atLevel] = 0;
    this.#receivedEnd[atLevel] = left + bytes.length;
  }

  /** Lets OpenSSL make as much progress as possible, and then emits the queued events. */
  #drive(): void {
    const { SSL_do_handshake, SSL_read, SSL_get_error, ERR_clear_error } = openssl();
    const ssl = this.#ssl.address;
    ERR_clear_error();
    let failure: Error | null = null;
    const leave = enter(this);
    try {
      // After the handshake, reading processes messages such as session tickets. There is no application data to read.
      const result = this.#complete ? SSL_read(ssl, readPlace(), 1) : SSL_do_handshake(ssl);
      // Also check the read secret. With early data enabled, OpenSSL returns 1 even before the client has finished.
      if (result === 1 && !this.#complete && this.#hasReadSecret) {
        this.#complete = true;
        this.#pendingEvents.push((events) => events.onComplete());
      } else if (result !== 1 && SSL_get_error(ssl, result) !== wantsRead) failure = opensslError('TLS failed');
    } finally {
      leave();
    }
    this.#failed = failure !== null;
    this.#report(failure);
  }

  #report(failure: Error | null): void {
    const pendingEvents = this.#pendingEvents;
    this.#pendingEvents = [];
    const events = this.#events;
    if (events === null) return;
    for (const each of pendingEvents) each(events);
    if (this.#fault !== null) throw this.#fault;
    if (failure !== null && !this.#alerted) events.onAlert(internalError, failure.message);
  }

  // Callbacks from OpenSSL

  send(bytes: Buffer): void {
    const atLevel = this.#writeLevel;
    this.#pendingEvents.push((events) => events.onCryptoData(atLevel, bytes));
  }

  /** Returns the address of the next unread bytes at the current encryption level. */
  pending(): { readonly address: bigint; readonly length: number } {
    const of = this.#readLevel;
    const block = this.#received[of] ?? null;
    const at = numberAt(this.#receivedAt, of);
    const length = numberAt(this.#receivedEnd, of) - at;
    return block === null || length === 0 ? { address: 0n, length: 0 } : { address: block.at(at, length), length };
  }

  consumed(bytes: number): void {
    const of = this.#readLevel;
    const at = numberAt(this.#receivedAt, of) + bytes;
    this.#receivedAt[of] = at;
    if (at >= numberAt(this.#receivedEnd, of)) this.#received[of] = null;
  }

  secret(of: number, isWrite: boolean, bytes: Buffer): void {
    const { SSL_get_current_cipher, SSL_CIPHER_get_protocol_id } = openssl();
    const suiteId = SSL_CIPHER_get_protocol_id(SSL_get_current_cipher(this.#ssl.address)) & 0xffff;
    if (isWrite) this.#writeLevel = of;
    else this.#readLevel = of;
    if (!isWrite && of === level.application) this.#hasReadSecret = true;
    this.#pendingEvents.push((events) =>
      events.onSecret({ level: of, direction: isWrite ? 'write' : 'read', suiteId, bytes }),
    );
  }

  parameters(bytes: Buffer): void {
    this.#pendingEvents.push((events) => events.onTransportParameters(bytes));
  }

  alert(code: number): void {
    this.#alerted = true;
    const reason = opensslError('TLS failed').message;
    this.#pendingEvents.push((events) => events.onAlert(code, reason));
  }

  fault(error: unknown): void {
    this.#fault = error instanceof Error ? error : new Error(String(error));
  }

  free(): void {
    // Shut down the session. QUIC has no `close_notify` alerts, so OpenSSL would otherwise make the session unusable for resumption.
    if (this.wantsSessions && this.#complete && !this.#ssl.freed)
      openssl().SSL_set_shutdown(this.#ssl.address, shutdownDone);
    this.#ssl.free();
    if (this.#released) return;
    this.#released = true;
    this.#options.context.release();
  }
}

let readBlock: Block | null = null;

function readPlace(): bigint {
  readBlock ??= new Block(16);
  return readBlock.at(0, 16);
}

let table: Block | null = null;

/** Returns this thread's callbacks in OpenSSL's format: pairs of a function number and an address, terminated by number 0. */
function dispatchTable(): bigint {
  if (table !== null) return table.at(0, 0);
  const failed = { failure: 0, report: (error: unknown) => callingSession()?.fault(error) };
  const session = (): QuicTls => {
    const current = callingSession();
    if (current === null) throw new Error('unexpected OpenSSL callback outside of a call');
    return current as QuicTls;
  };
  const entries: readonly (readonly [number, bigint])[] = [
    [
      dispatch.send,
      callbackOf(
        ['i', 'p', 'p', 'L', 'p', 'p'],
        (_ssl, bytes, length, consumed) => {
          session().send(copyOf(bytes, Number(length)));
          writePointer(consumed, length);
          return 1;
        },
        failed,
      ),
    ],
    [
      dispatch.receive,
      callbackOf(
        ['i', 'p', 'p', 'p', 'p'],
        (_ssl, out, outLength) => {
          const { address, length } = session().pending();
          writePointer(out, address);
          writePointer(outLength, BigInt(length));
          return 1;
        },
        failed,
      ),
    ],
    [
      dispatch.release,
      callbackOf(
        ['i', 'p', 'L', 'p'],
        (_ssl, length) => {
          session().consumed(Number(length));
          return 1;
        },
        failed,
      ),
    ],
    [
      dispatch.secret,
      callbackOf(
        ['i', 'p', 'u', 'i', 'p', 'L', 'p'],
        (...[, of, direction, secret, length]) => {
          session().secret(of, direction === 1, copyOf(secret, Number(length)));
          return 1;
        },
        failed,
      ),
    ],
    [
      dispatch.parameters,
      callbackOf(
        ['i', 'p', 'p', 'L', 'p'],
        (_ssl, bytes, length) => {
          session().parameters(copyOf(bytes, Number(length)));
          return 1;
        },
        failed,
      ),
    ],
    [
      dispatch.alert,
      callbackOf(
        ['i', 'p', 'u', 'p'],
        (_ssl, code) => {
          session().alert(code & 0xff);
          return 1;
        },
        failed,
      ),
    ],
  ];
  const block = new Block(16 * (entries.length + 1)).pin();
  for (const [index, [number, address]] of entries.entries()) {
    block.bytes.writeInt32LE(number, 16 * index);
    block.bytes.writeBigUInt64LE(address, 16 * index + 8);
  }
  table = block;
  return block.at(0, 0);
}
