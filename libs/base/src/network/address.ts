/**
 * Network addresses of `listen` and `dial` options, in the form `[network/]address`.
 *
 * - `host:port`, `:port`, `host`, `[::1]:80`, after an optional `tcp/` (the default), `tcp4/`, `tcp6/`, `udp/`,
 *   `udp4/`, `udp6/` or the network of a plugin. The port can be a range, such as `8000-8010`. If the port is missing,
 *   the default port applies. For port 0, the operating system chooses the port.
 * - `unix//path/to.sock`, `unixgram/…`, `unixpacket/…`: a path, with optional octal permission bits after `|`. A path
 *   that begins with `@` is an abstract socket (Linux).
 * - `fd/3`, `fdgram/4`: an open file descriptor.
 *
 * The caller must replace placeholders before parsing.
 */
import { quoted, valueError } from '../values/value-error.ts';
import { canonicalHost, joinHostPort, splitHostPort } from './host-port.ts';

export interface NetworkAddress {
  /**
   * Network name in lowercase: `tcp`, `tcp4`, `tcp6`, `udp`, `udp4`, `udp6`, `unix`, `unixgram`, `unixpacket`, `fd`, `fdgram`, or the
   * network of a plugin.
   */
  readonly network: string;
  /** Host without brackets, Unix socket path, or file descriptor number. An empty host means all interfaces. */
  readonly host: string;
  /** First port of the range, from 0 to 65535. 0 for Unix sockets and file descriptors. */
  readonly startPort: number;
  /** Last port of the range. Equal to `startPort` for a single port. */
  readonly endPort: number;
  /** Permission bits of a Unix socket. `null` if the address doesn't specify any; in this case, Caddy uses 0200. */
  readonly mode: number | null;
}

export interface AddressDefaults {
  /** Default: `tcp`. */
  readonly network?: string;
  /** Default: 0. */
  readonly port?: number;
}

/** Parses a network address. Throws `ERR_VALUE` if the address is invalid. */
export function parseNetworkAddress(text: string, defaults: AddressDefaults = {}): NetworkAddress {
  const slash = text.indexOf('/');
  const named = slash < 0 ? '' : text.slice(0, slash).trim().toLowerCase();
  const network = named === '' ? (defaults.network ?? 'tcp') : named;
  const rest = text.slice(slash + 1);
  if (!/^[a-z][\w+.-]*$/.test(network)) {
    throw valueError(
      `address ${quoted(text)}: ${quoted(network)} is not a network; write "[network/]host:port", not a URL`,
    );
  }
  if (isUnixNetwork(network)) return unixAddress(network, rest, text);
  if (isDescriptorNetwork(network)) return descriptorAddress(network, rest, text);
  const { host, port } = splitHostPort(rest);
  if (/[\s/{}*]/.test(host)) {
    throw valueError(`address ${quoted(text)}: ${quoted(host)} is not a host; omit the host for all interfaces`);
  }
  const [startPort, endPort] = port === '' ? [defaults.port ?? 0, defaults.port ?? 0] : portRange(port, text);
  return { network, host, startPort, endPort, mode: null };
}

function unixAddress(network: string, rest: string, text: string): NetworkAddress {
  const bar = rest.indexOf('|');
  const path = bar < 0 ? rest : rest.slice(0, bar);
  if (path === '' || path.includes('\0'))
    throw valueError(`address ${quoted(text)}: the socket path is missing or contains a NUL byte`);
  return {
    network,
    host: path,
    startPort: 0,
    endPort: 0,
    mode: bar < 0 ? null : permissionBits(rest.slice(bar + 1), text),
  };
}

function permissionBits(octal: string, text: string): number {
  const mode = /^[0-7]{1,11}$/.test(octal) ? Number.parseInt(octal, 8) : Number.NaN;
  if (Number.isNaN(mode) || mode > 0o7777)
    throw valueError(`address ${quoted(text)}: expected octal permission bits such as 0222 after "|"`);
  if ((mode & 0o200) === 0)
    throw valueError(`address ${quoted(text)}: the owner of a socket needs write permission, at least 0200`);
  return mode;
}

function descriptorAddress(network: string, rest: string, text: string): NetworkAddress {
  if (!/^\d{1,9}$/.test(rest)) throw valueError(`address ${quoted(text)}: ${quoted(rest)} is not a file descriptor`);
  return { network, host: String(Number(rest)), startPort: 0, endPort: 0, mode: null };
}

function portRange(port: string, text: string): [number, number] {
  const dash = port.indexOf('-');
  const start = portNumber(dash < 0 ? port : port.slice(0, dash), text);
  const end = dash < 0 ? start : portNumber(port.slice(dash + 1), text);
  if (end < start)
    throw valueError(`address ${quoted(text)}: the last port of a range must not be lower than the first`);
  return [start, end];
}

function portNumber(digits: string, text: string): number {
  const port = /^\d{1,20}$/.test(digits) ? Number(digits) : Number.NaN;
  if (port <= 65535) return port;
  throw valueError(`address ${quoted(text)}: ${quoted(digits)} is not a port number from 0 to 65535`);
}

/** Reports whether the network uses file system paths as addresses: `unix`, `unixgram`, or `unixpacket`. */
export function isUnixNetwork(network: string): boolean {
  return network === 'unix' || network === 'unixgram' || network === 'unixpacket';
}

/** Reports whether the network uses file descriptors as addresses: `fd` or `fdgram`. */
export function isDescriptorNetwork(network: string): boolean {
  return network === 'fd' || network === 'fdgram';
}

/** Reports whether the network is datagram-based: `udp`, `udp4`, `udp6`, `unixgram`, or `fdgram`. */
export function isDatagramNetwork(network: string): boolean {
  return network === 'unixgram' || network === 'fdgram' || /^udp[46]?$/.test(network);
}

/** Returns the number of ports in the range. Returns 1 for Unix sockets and file descriptors. */
export function portCount(address: NetworkAddress): number {
  return address.endPort - address.startPort + 1;
}

/** Returns one address for each port in the range, in ascending order. */
export function expandPorts(address: NetworkAddress): NetworkAddress[] {
  const { startPort } = address;
  return Array.from({ length: portCount(address) }, (_, i) => ({
    ...address,
    startPort: startPort + i,
    endPort: startPort + i,
  }));
}

/** Formats an address. Parsing the result yields an equal address. Omits the network if it is `tcp`. */
export function formatNetworkAddress(address: NetworkAddress): string {
  return (address.network === 'tcp' ? '' : `${address.network}/`) + withoutNetwork(address);
}

function withoutNetwork({ network, host, startPort, endPort, mode }: NetworkAddress): string {
  if (isUnixNetwork(network)) return mode === null ? host : `${host}|${mode.toString(8).padStart(4, '0')}`;
  if (isDescriptorNetwork(network)) return host;
  return joinHostPort(host, startPort === endPort ? startPort : `${startPort}-${endPort}`);
}

/**
 * Returns the key that identifies a listener, such as `tcp/127.0.0.1:80`, `tcp/:80`, `unix//run/a.sock`, or `fd/3`.
 *
 * Hosts are canonical, so `[::]:80` and `:80` have the same key. The key excludes permission bits. All addresses with port 0 have the same
 * key, although each address is a separate listener.
 */
export function listenerKey(address: NetworkAddress): string {
  const { network, host } = address;
  if (isUnixNetwork(network) || isDescriptorNetwork(network)) return `${network}/${host}`;
  return `${network}/${withoutNetwork({ ...address, host: canonicalHost(host) })}`;
}

/** Returns the path of a Unix socket in the form that Node expects. For an abstract socket, NUL replaces the leading `@`. */
export function unixSocketPath(address: NetworkAddress): string {
  return address.host.startsWith('@') ? `\0${address.host.slice(1)}` : address.host;
}
