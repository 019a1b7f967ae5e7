/** Discovers Internet gateways with SSDP (UPnP Device Architecture 1.1 §1.3). */
import { createSocket } from 'node:dgram';
import { SluiceError } from '@sluice/base';

const multicast = { address: '239.255.255.250', port: 1900 };
/** Time to wait for a response to the discovery request, in milliseconds. */
const timeout = 3_000;
const targets = [
  'urn:schemas-upnp-org:device:InternetGatewayDevice:1',
  'urn:schemas-upnp-org:device:InternetGatewayDevice:2',
];

/**
 * Returns the description URL of the first gateway that responds. `to` is the destination of the discovery request. Tests use a different
 * destination.
 */
export function findGateway(signal: AbortSignal, to: { address: string; port: number } = multicast): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = createSocket('udp4');
  const timer = setTimeout(
    () => reject(new SluiceError('ERR_DNS_PROVIDER', `no UPnP gateway responded within ${timeout} ms`)),
    timeout,
  );
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  socket.on('error', reject);
  socket.on('message', (message) => {
    try {
      const location = /^location:\s*(\S+)/im.exec(message.toString('latin1'))?.[1];
      if (location !== undefined && URL.canParse(location)) resolve(location);
    } catch (error) {
      reject(error);
    }
  });
  for (const target of targets)
    socket.send(
      `M-SEARCH * HTTP/1.1\r\nHOST: ${multicast.address}:${multicast.port}\r\nMAN: "ssdp:discover"\r\nMX: 2\r\nST: ${target}\r\n\r\n`,
      to.port,
      to.address,
    );
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    socket.close();
  });
}
