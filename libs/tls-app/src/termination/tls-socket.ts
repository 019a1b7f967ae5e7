/** The server side of a TLS connection over a socket whose first bytes were read already. */
import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext, type TLSSocketOptions } from 'node:tls';
import { connectionOf, directReads, failOwner } from '@sluice/base';

/** What the sockets of one policy have in common. */
export interface ServerTlsOptions {
  readonly secureContext: SecureContext;
  /** Length-prefixed names, as Node makes them of a list; `null` for no ALPN. */
  readonly alpn: Buffer | null;
  readonly requestCert: boolean;
  /** Refuse clients without a certificate within the handshake. */
  readonly requireCert: boolean;
  /** DER of the OCSP response for clients that want one, or `null`. */
  readonly staple: Uint8Array | null;
}

/** Takes `bytes[0..end)`, which are overwritten as soon as it returns. */
type DirectReader = (bytes: Buffer, end: number) => void;

/** Node's handle under a TLS socket, as far as it is used here. */
interface TlsHandle {
  receive(bytes: Buffer): void;
  /** What `OCSPRequest` of a `tls.Server` ends in; here the response is at hand, and no one need wait for it. */
  setOCSPResponse(response: Uint8Array): void;
}

interface Internals {
  readonly _handle: TlsHandle | null;
  _releaseControl?(): boolean;
  _init(socket: Socket | undefined, wrap: Socket | null): void;
  _wrapHandle(wrap: Socket | null, handle: unknown, busy: boolean): unknown;
}

/** All TLS sockets of a thread read into this, one after the other. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

const inherited = TLSSocket.prototype as unknown as Internals;

/** Whether Node has the parts that direct reading builds on; without them connections only cost more. */
const canReadDirectly = typeof inherited._wrapHandle === 'function' && typeof inherited._init === 'function';

/**
 * A TLS socket that reads into a buffer of the thread, like the direct sockets of the app `http`: `onread` of
 * `tls.TLSSocket`, which Node offers to clients only.
 */
class DirectTlsSocket extends TLSSocket {
  directReader: DirectReader | null = null;

  constructor(raw: Socket, options: TLSSocketOptions) {
    const onread = { buffer: shared, callback: (size: number) => this.#onRead(size) };
    // The raw socket goes round the constructor, which would turn `onread` off.
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

  /** Listeners that others have added, as listener wrappers do, may throw, too. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Returning false stops reading, until the stream is read or resumed. */
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

/** Begins TLS. `first` is what was read of the connection, and not put back; it is copied. */
export function startServerTls(raw: Socket, first: Buffer, options: ServerTlsOptions): TLSSocket {
  const settings = {
    isServer: true,
    secureContext: options.secureContext,
    requestCert: options.requestCert,
    rejectUnauthorized: options.requireCert,
    ...(options.alpn === null ? {} : { ALPNProtocols: options.alpn }),
  };
  const direct = directReads.allowed && canReadDirectly && (raw as unknown as Internals)._handle !== null;
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

/** The handshake is complete and the socket goes to whoever speaks on it; for sockets of its own `tls.Server` does this. */
export function releaseControl(socket: TLSSocket): void {
  const internals = socket as unknown as Internals & { secureConnecting: boolean };
  internals.secureConnecting = false;
  internals._releaseControl?.();
}
