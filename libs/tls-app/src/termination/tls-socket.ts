/** Server side of TLS on a socket from which some data has already been read. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket, type SecureContext, type TLSSocketOptions } from 'node:tls';
import { connectionOf, directReads, failOwner, hasLayer } from '@sluice/base';

/** TLS socket options that connections of a policy share. */
export interface ServerTlsOptions {
  readonly secureContext: SecureContext;
  /** ALPN protocol names with length prefixes, or `null` to disable ALPN. */
  readonly alpn: Buffer | null;
  readonly requestCert: boolean;
  /** True to reject clients without a certificate during the handshake. */
  readonly requireCert: boolean;
  /** DER-encoded OCSP response for clients that request one, or `null`. */
  readonly staple: Uint8Array | null;
}

/** Receives `bytes[0..end)`. The buffer is overwritten after the function returns. */
type DirectReader = (bytes: Buffer, end: number) => void;

/** Parts of Node's internal TLS socket handle that this file uses. */
interface TlsHandle {
  receive(bytes: Buffer): void;
  /** `tls.Server` calls this function at the end of `OCSPRequest`. In this file, the response is already available. */
  setOCSPResponse(response: Uint8Array): void;
}

interface Internals {
  readonly _handle: TlsHandle | null;
  _releaseControl?(): boolean;
  _init(socket: Socket | undefined, wrap: Socket | null): void;
  _wrapHandle(wrap: Socket | null, handle: unknown, busy: boolean): unknown;
}

/** Read buffer shared by all TLS sockets of a thread. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

const inherited = TLSSocket.prototype as unknown as Internals;

/** True if this Node version has the internals for direct reads. If false, connections use more CPU time. */
const canReadDirectly = typeof inherited._wrapHandle === 'function' && typeof inherited._init === 'function';

/**
 * A TLS socket that reads into the thread's buffer, like the direct sockets of the `http` app. It uses the option `onread`, which Node
 * supports only for client sockets.
 */
class DirectTlsSocket extends TLSSocket {
  directReader: DirectReader | null = null;

  constructor(raw: Socket, options: TLSSocketOptions) {
    const onread = { buffer: shared, callback: (size: number) => this.#onRead(size) };
    // Pass the raw socket in a way that bypasses the constructor, which would disable `onread`.
    super(undefined as unknown as Socket, { ...options, onread, allowHalfOpen: true, raw } as TLSSocketOptions);
    (this as { connecting: boolean }).connecting = false;
  }

  _wrapHandle(_wrap: null, _handle: unknown, busy: boolean): unknown {
    const { raw } = (this as unknown as { _tlsOptions: { raw: Socket } })._tlsOptions;
    return inherited._wrapHandle.call(this, raw, (raw as unknown as Internals)._handle, busy);
  }

  _init(_socket: undefined, _wrap: null): void {
    const { raw } = (this as unknown as { _tlsOptions: { raw: Socket } })._tlsOptions;
    inherited._init.call(this, raw, raw);
  }

  /** Event listeners of other components, such as listener wrappers, may throw. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Handles bytes that were read. Returns false to pause reading until the stream is read or resumed. */
  #onRead(size: number): boolean {
    const reader = this.directReader;
    if (reader === null) return this.push(Buffer.from(shared.subarray(0, size)));
    try {
      reader(shared, size);
    } catch (error) {
      failOwner(connectionOf(this), error);
    }
    return true;
  }
}

/** Starts TLS on a socket. Copies `first`, which contains bytes that were already read from the connection. */
export function startServerTls(raw: Socket, first: Buffer, options: ServerTlsOptions): TLSSocket {
  const settings = {
    isServer: true,
    secureContext: options.secureContext,
    requestCert: options.requestCert,
    rejectUnauthorized: options.requireCert,
    ...(options.alpn === null ? {} : { ALPNProtocols: options.alpn }),
  };
  // For TLS within TLS, using the socket's handle would bypass the outer TLS layer. Sockets of an epoll set have no handle.
  if (hasLayer(raw) || (raw as unknown as Internals)._handle === null) {
    raw.unshift(first);
    const socket = new TLSSocket(Duplex.from({ readable: raw, writable: raw } as never), settings);
    if (options.staple !== null) handleOf(socket)?.setOCSPResponse(options.staple);
    return socket;
  }
  const direct = directReads.allowed && canReadDirectly;
  if (!direct) {
    raw.unshift(first);
    const socket = new TLSSocket(raw, settings);
    if (options.staple !== null) handleOf(socket)?.setOCSPResponse(options.staple);
    return socket;
  }
  const socket = new DirectTlsSocket(raw, settings);
  const handle = handleOf(socket);
  if (options.staple !== null) handle?.setOCSPResponse(options.staple);
  handle?.receive(first);
  return socket;
}

function handleOf(socket: TLSSocket): TlsHandle | null {
  return (socket as unknown as Internals)._handle;
}

/** Called when the handshake is complete and the socket is handed over to its user, as in `tls.Server`. */
export function releaseControl(socket: TLSSocket): void {
  const internals = socket as unknown as Internals & { secureConnecting: boolean };
  internals.secureConnecting = false;
  internals._releaseControl?.();
}
