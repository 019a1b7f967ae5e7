/** Connects to TCP, UDP and Unix socket addresses. */
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { guarded, isUnixNetwork, parseNetworkAddress, SluiceError, splitHostPort, taskOf } from '@sluice/base';
import { openSocket, parseDialAddress, UpstreamError, UpstreamSocket } from '@sluice/http-app';
import { DatagramPeer } from '@sluice/layer4-app';

/** Preferred IP address family. Determines whether the other family is used as a fallback. */
export interface FamilyPreference {
  readonly first: 4 | 6;
  readonly only: boolean;
}

/** Local address from which to connect. */
export interface LocalAddress {
  readonly host: string;
  /** Local port, or 0 to let the system choose one. */
  readonly port: number;
}

/** Options of an outgoing connection. */
export interface DialOptions {
  /** Connect timeout in milliseconds. 0 means no limit. */
  readonly timeout: number;
  readonly preference: FamilyPreference | null;
  readonly local: readonly LocalAddress[];
  /** Called with the socket before it is connected. If the caller no longer needs the connection, it can destroy the socket. */
  readonly hold: (socket: Duplex) => void;
}

/** Interval of TCP keep-alive probes in milliseconds, the same as Go's default. */
const keepAlive = 15_000;

/** Connects to an address. Rejects with an {@link UpstreamError}. */
export function dial(text: string, options: DialOptions): Promise<Duplex> {
  const network = /^udp[46]?\//.exec(text);
  return network === null ? dialStream(text, options) : dialDatagram(text, options);
}

async function dialStream(text: string, { timeout, preference, local, hold }: DialOptions): Promise<Duplex> {
  const address = parseDialAddress(text);
  const tcp =
    isUnixNetwork(address.network) || (preference === null && local.length === 0)
      ? {}
      : await tcpOptions(address.host, preference, local);
  return openSocket(address, {
    timeout,
    socket: new UpstreamSocket(),
    keepAlive,
    tcp,
    hold,
  });
}

async function tcpOptions(
  host: string,
  preference: FamilyPreference | null,
  local: readonly LocalAddress[],
): Promise<Partial<TcpNetConnectOpts>> {
  const found = await resolve(host, preference);
  const from = localFor(local, isIP(found));
  return {
    host: found,
    ...(from === undefined ? {} : { localAddress: from.host, ...(from.port === 0 ? {} : { localPort: from.port }) }),
  };
}

function localFor(local: readonly LocalAddress[], family: number): LocalAddress | undefined {
  return local.find(({ host }) => isIP(host) === family);
}

/** Resolves a host name to an IP address. Uses the preferred address family if possible. */
function resolve(host: string, preference: FamilyPreference | null): Promise<string> {
  const name = host === '' ? 'localhost' : host;
  const literal = isIP(name);
  if (literal !== 0) {
    if (preference?.only === true && literal !== preference.first)
      throw new UpstreamError('dial', `cannot connect to ${name}: not an IPv${preference.first} address`);
    return Promise.resolve(name);
  }
  return new Promise((done, reject) => {
    lookup(name, { all: true, verbatim: true }, (error, all) => {
      const preferred = preference === null ? all : all?.filter(({ family }) => family === preference.first);
      const found = preferred?.[0] ?? (preference?.only === true ? undefined : all?.[0]);
      if (error === null && found !== undefined) done(found.address);
      else
        reject(new UpstreamError('dial', `cannot resolve ${name}: ${error?.message ?? 'no IP address found'}`, error));
    });
  });
}

async function dialDatagram(text: string, { preference, local, hold }: DialOptions): Promise<Duplex> {
  const { network, host, startPort } = parseNetworkAddress(text);
  const wanted: FamilyPreference | null =
    network === 'udp4' ? { first: 4, only: true } : network === 'udp6' ? { first: 6, only: true } : preference;
  const address = await resolve(host, wanted);
  const family = isIP(address);
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const peer = new DatagramPeer((bytes, done) => socket.send(bytes, done));
  hold(peer);
  const task = taskOf('layer4.handlers.proxy');
  peer.once(
    'close',
    guarded(task, () => void socket.close()),
  );
  socket.on(
    'message',
    guarded(task, (bytes: Buffer) => peer.deliver(bytes)),
  );
  // The `error` event is emitted after the upstream has rejected a UDP packet.
  socket.on('error', () => peer.destroy());
  const from = localFor(local, family);
  return new Promise((resolvePeer, reject) => {
    const failed = (error: Error): void => {
      peer.destroy();
      reject(new UpstreamError('dial', `cannot connect to ${text}: ${error.message}`, error));
    };
    socket.once('error', failed);
    const connect = (): void => {
      socket.connect(startPort, address, () => {
        socket.off('error', failed);
        resolvePeer(peer);
      });
    };
    if (from === undefined) connect();
    else socket.bind(from.port, from.host, connect);
  });
}

/** Parses a local address, such as `10.0.0.1`, `10.0.0.1:5000`, `2001:db8::1` or `[2001:db8::1]:5000`. Throws an error with the reason. */
export function parseLocalAddress(text: string): LocalAddress {
  if (isIP(text) !== 0) return { host: text, port: 0 };
  const { host, port } = splitHostPort(text);
  const number = port === '' ? 0 : Number(port);
  if (isIP(host) === 0 || !Number.isInteger(number) || number < 0 || number > 65_535)
    throw new SluiceError('ERR_VALUE', `must be an IP address, with or without a port, not ${JSON.stringify(text)}`);
  return { host, port: number };
}
