/** Opens a socket to an address, with a timeout. */
import { Socket, type IpcNetConnectOpts, type TcpNetConnectOpts } from 'node:net';
import { guarded } from '@sluice/base';
import type { DialAddress } from '../dial-address.ts';
import { isUpstreamError, UpstreamError } from '../upstream-error.ts';

export interface OpenOptions {
  /** Connect timeout in milliseconds; 0 means the operating system's timeout. */
  readonly timeout: number;
  /** Socket to connect. Default: a new `net.Socket`. */
  readonly socket?: Socket;
  /** TCP keep-alive probe interval, in milliseconds. 0 or a negative value disables probes. */
  readonly keepAlive?: number;
  /** Additional TCP options. */
  readonly tcp?: Partial<TcpNetConnectOpts>;
  /** Called with the socket as soon as it exists, so that the caller can destroy it if the connection is no longer needed. */
  readonly hold: (socket: Socket) => void;
}

/** Connects to the address. Rejects with an {@link UpstreamError} of kind `dial`. */
export function openSocket(
  address: DialAddress,
  { timeout, tcp, hold, keepAlive = 0, socket = new Socket() }: OpenOptions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The socket may fail before another error listener is attached. The code that attaches that listener detects the failure.
    socket.on('error', ignore);
    hold(socket);
    socket.setNoDelay(true);
    if (keepAlive > 0) socket.setKeepAlive(true, keepAlive);
    socket.connect(optionsOf(address, tcp ?? {}));
    const tooLong = (): void =>
      void socket.destroy(new UpstreamError('dial-timeout', `cannot connect to ${address.hostPort}: timed out`));
    const timer = timeout > 0 ? setTimeout(tooLong, timeout) : null;
    const owner = { fault: reject };
    const settle = guarded(owner, (error: Error | null): void => {
      if (timer !== null) clearTimeout(timer);
      socket.off('connect', onConnect);
      socket.off('error', settle);
      if (error === null) resolve(socket);
      else
        reject(
          isUpstreamError(error)
            ? error
            : new UpstreamError('dial', `cannot connect to ${address.hostPort}: ${reasonOf(error)}`, error),
        );
    });
    const onConnect = guarded(owner, () => settle(null));
    socket.on('connect', onConnect);
    socket.on('error', settle);
  });
}

function optionsOf(
  { network, host, port }: DialAddress,
  tcp: Partial<TcpNetConnectOpts>,
): TcpNetConnectOpts | IpcNetConnectOpts {
  // On Linux, a path that begins with `@` is an abstract socket.
  if (network === 'unix') return { path: host.startsWith('@') ? `\0${host.slice(1)}` : host };
  const family = network === 'tcp4' ? 4 : network === 'tcp6' ? 6 : undefined;
  return {
    host: host === '' ? 'localhost' : host,
    port,
    ...(family === undefined ? {} : { family }),
    ...tcp,
  };
}

/** Returns the reason for a connection error. An `AggregateError` from several attempts has no message. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map((each) => (each as Error).message).join('; ')
    : error.message;
}

function ignore(): void {}
