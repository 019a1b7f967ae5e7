import { createServer, type ListenOptions, type Server } from 'node:net';
import {
  closeDescriptor,
  duplicateDescriptor,
  formatNetworkAddress,
  isDescriptorNetwork,
  isUnixNetwork,
  SluiceError,
  SocketFile,
  unixSocketPath,
  type NetworkAddress,
} from '@sluice/base';

/** Default permission bits of a Unix socket. As in Caddy, only the owner may connect. */
const defaultMode = 0o200;
/** Maximum number of connections in the kernel's accept queue. */
const backlog = 4096;

/**
 * Starts listening on an address with a single port. For port 0, the operating system chooses the port. Returns the socket file if the
 * address is a Unix socket.
 */
export async function bind(server: Server, address: NetworkAddress, reusePort: boolean): Promise<SocketFile | null> {
  const { network, host, startPort } = address;
  try {
    if (network === 'unix') return await bindPath(server, address);
    if (network === 'fd') await bindDescriptor(server, Number(host));
    else if (network === 'tcp' || network === 'tcp4' || network === 'tcp6') {
      await listen(server, { port: startPort, backlog, exclusive: true, reusePort, ...hostOptions(network, host) });
    } else
      throw new Error(
        isUnixNetwork(network) || isDescriptorNetwork(network)
          ? 'is not a stream socket'
          : `unknown network ${network}`,
      );
    return null;
  } catch (error) {
    throw new SluiceError('ERR_LISTEN', `cannot listen on ${formatNetworkAddress(address)}: ${reasonOf(error)}`, {
      status: 400,
      cause: error,
    });
  }
}

/** For all interfaces, listens on `::` with IPv4-mapped addresses. If IPv6 is not available, listens on `0.0.0.0`. */
function hostOptions(network: string, host: string): { host?: string; ipv6Only?: boolean } {
  if (network === 'tcp4') return { host: host === '' ? '0.0.0.0' : host };
  if (network === 'tcp6') return { host: host === '' ? '::' : host, ipv6Only: true };
  return host === '' ? {} : { host };
}

/**
 * Listens on a socket that the parent process opened, for example systemd. Uses a duplicate of the file descriptor, so that a later
 * configuration can listen on the socket again.
 */
async function bindDescriptor(server: Server, descriptor: number): Promise<void> {
  const own = duplicateDescriptor(descriptor);
  if (own !== null && own < 0) throw new Error(`descriptor ${descriptor} is not open`);
  try {
    await listen(server, { fd: own ?? descriptor });
  } catch (error) {
    if (own !== null) closeDescriptor(own);
    throw error;
  }
}

async function bindPath(server: Server, address: NetworkAddress): Promise<SocketFile | null> {
  const path = unixSocketPath(address);
  if (path.startsWith('\0')) {
    await listen(server, { path, backlog });
    return null;
  }
  const file = await SocketFile.claim(path);
  await listen(server, { path: file.boundPath, backlog });
  file.publish(address.mode ?? defaultMode);
  return file;
}

export function newServer(): Server {
  return createServer({ allowHalfOpen: true, noDelay: true });
}

/** Resolves when a server has stopped listening. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** Starts listening on a socket inherited from the previous process. If this fails, the server emits an `error` event. */
export function adopt(server: Server, fd: number): void {
  server.listen({ fd });
}

function listen(server: Server, options: ListenOptions & { reusePort?: boolean; fd?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'the address is in use by another program';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EADDRNOTAVAIL') return 'the address is not available on this machine';
  return message;
}
