/** An upstream of a layer 4 proxy. Connecting to the upstream opens one connection to each of its addresses. */
import { connect as connectTls } from 'node:tls';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connectionOf, guarded, requiredText, type JsonObject } from '@sluice/base';
import {
  parseDialAddress,
  proxyHeader,
  tlsSettings,
  UpstreamError,
  UpstreamHost,
  type TlsSettings,
} from '@sluice/http-app';
import { compileLayer4Text, type Layer4Connection, type Layer4Template } from '@sluice/layer4-app';
import type { Context } from '@sluice/registry';
import { allocateSharedCells, SharedCells, sharedCellsToken } from '@sluice/threads';
import { dial, parseLocalAddress, type FamilyPreference, type LocalAddress } from '../common/dial.ts';
import type { UpstreamConfig } from './options.ts';

/** Connect timeout for upstream addresses, in milliseconds. */
const dialTimeout = 10_000;

const preferences: Readonly<Record<string, FamilyPreference>> = {
  ipv4_only: { first: 4, only: true },
  ipv6_only: { first: 6, only: true },
  ipv4_first: { first: 4, only: false },
  ipv6_first: { first: 6, only: false },
};

/** Shared cells for environments without shared memory, such as tests. */
let ownCells: SharedCells | null = null;

/** Returns the shared cells of a thread. */
export function cellsOf(context: Context): SharedCells {
  return (
    context.find(sharedCellsToken) ??
    (ownCells ??= new SharedCells(allocateSharedCells({ capacity: 4096, threads: 1 }), 0))
  );
}

/** A provisioned upstream. */
export class Layer4Upstream {
  /** Configured addresses, which identify the upstream in metrics and logs. */
  readonly address: string;
  readonly dials: readonly Layer4Template[];
  readonly weight: number;
  readonly maxConnections: number;
  readonly host: UpstreamHost;
  readonly #local: readonly Layer4Template[];
  readonly #preference: FamilyPreference | null;
  readonly #tls: TlsSettings | null;
  readonly #serverName: Layer4Template;
  /** Reference count: configurations that use the upstream, plus its connections. */
  #users = 1;

  private constructor(config: UpstreamConfig, tls: TlsSettings | null, context: Context) {
    const dials = config.dial ?? [];
    this.address = dials.join(',');
    this.dials = dials.map((text) => compileLayer4Text(text, 'empty'));
    this.weight = Math.max(1, config.weight ?? 1);
    this.maxConnections = config.max_connections ?? 0;
    this.#local = (config.local_address ?? []).map((text) => compileLayer4Text(text, 'empty'));
    this.#preference = preferenceOf(config.resolver_preference, context);
    this.#tls = tls;
    this.#serverName = compileLayer4Text(tls?.serverName ?? '', 'empty');
    this.host = new UpstreamHost(this.address, cellsOf(context).acquire(`layer4-upstream ${this.address}`), null);
  }

  static async provision(node: JsonObject, context: Context): Promise<Layer4Upstream> {
    const config = node as UpstreamConfig;
    if (!config.dial?.length) throw context.error('an upstream requires an address', 'dial');
    checkLocal(config, context);
    const tls = config.tls ? (await tlsSettings(config.tls, context)).settings : null;
    const upstream = new Layer4Upstream(config, tls, context);
    for (const [index, { constant }] of upstream.dials.entries())
      if (constant !== null) checkDial(constant, context, index);
    context.onDispose(() => upstream.release());
    return upstream;
  }

  retain(): void {
    this.#users++;
  }

  /** Called when a configuration is removed or a connection has ended. */
  release(): void {
    if (--this.#users === 0) this.host.close();
  }

  /** Connects to all upstream addresses. On failure, closes the established connections and rejects with an {@link UpstreamError}. */
  async connect(connection: Layer4Connection, version: 0 | 1 | 2): Promise<Duplex[]> {
    const sockets: Duplex[] = [];
    const held: Duplex[] = [];
    const cancel = guarded(connection, () => {
      for (const socket of held) socket.destroy();
    });
    connection.socket.once('close', cancel);
    try {
      for (const template of this.dials) sockets.push(await this.#connectOne(template, connection, version, held));
      return sockets;
    } catch (error) {
      cancel();
      throw error;
    } finally {
      connection.socket.off('close', cancel);
    }
  }

  async #connectOne(
    template: Layer4Template,
    connection: Layer4Connection,
    version: 0 | 1 | 2,
    held: Duplex[],
  ): Promise<Duplex> {
    const text = template.constant ?? template.filled(connection);
    if (text === null)
      throw new UpstreamError('dial', `a placeholder in the upstream address ${template.source} has no value`);
    const socket = await dial(text, {
      timeout: dialTimeout,
      preference: this.#preference,
      local: this.#localAddresses(connection),
      hold: (made) => {
        made.on('error', ignore);
        held.push(made);
      },
    });
    if (version !== 0) socket.write(headerOf(version, connection));
    const tls = this.#tls;
    if (tls === null || text.startsWith('udp')) return socket;
    const { host, port } = parseDialAddress(text);
    if (tls.exceptPorts.has(port)) return socket;
    const secure = await secured(socket as Socket, tls, this.#serverName.expand(connection) || host);
    held.push(secure);
    return secure;
  }

  #localAddresses(connection: Layer4Connection): LocalAddress[] {
    return this.#local.map((template) => parseLocalAddress(template.expand(connection)));
  }
}

/** Returns the PROXY header. It contains the client's address and the local address to which the client connected. */
function headerOf(version: 1 | 2, { facts }: Layer4Connection): Buffer {
  const client = { address: facts.remoteAddress, port: facts.remotePort };
  return proxyHeader(version, client, { remoteAddress: facts.localAddress, remotePort: facts.localPort });
}

function secured(socket: Socket, tls: TlsSettings, host: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = connectTls({
      socket,
      secureContext: tls.context,
      rejectUnauthorized: tls.verify,
      ...(tls.checkIdentity === null ? {} : { checkServerIdentity: tls.checkIdentity }),
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const timer =
      tls.handshakeTimeout > 0
        ? setTimeout(
            guarded(connectionOf(secure), () => {
              secure.destroy(new UpstreamError('dial-timeout', `the TLS handshake with ${host} timed out`));
            }),
            tls.handshakeTimeout,
          )
        : null;
    const settle = (error: Error | null): void => {
      if (timer !== null) clearTimeout(timer);
      secure.off('close', onClose);
      if (error === null) resolve(secure);
      else reject(new UpstreamError('dial', `the TLS handshake with ${host} failed: ${error.message}`, error));
    };
    const onClose = (): void =>
      settle(new UpstreamError('closed', 'the connection was closed during the TLS handshake'));
    secure.once('secureConnect', () => settle(null));
    secure.on('error', settle);
    secure.once('close', onClose);
  });
}

function preferenceOf(name: string | null | undefined, context: Context): FamilyPreference | null {
  if (name === null || name === undefined || name === '') return null;
  const preference = Object.hasOwn(preferences, name) ? preferences[name] : undefined;
  if (preference === undefined)
    throw context.error(
      `unknown value ${JSON.stringify(name)}; use one of ${Object.keys(preferences).join(', ')}`,
      'resolver_preference',
    );
  return preference;
}

function checkDial(text: string, context: Context, index: number): void {
  if (text.startsWith('udp')) return;
  try {
    parseDialAddress(text);
  } catch (error) {
    throw context.error((error as Error).message, 'dial', index);
  }
}

/** Checks the local addresses. Throws if an address is invalid, or if none belongs to the required IP address family. */
function checkLocal(config: UpstreamConfig, context: Context): void {
  const texts = config.local_address ?? [];
  if (texts.length === 0) return;
  if (config.dial?.some((text) => text.startsWith('unix')))
    throw context.error('is not supported for Unix sockets', 'local_address');
  const families = new Set<number>();
  for (const [index, text] of texts.entries()) {
    // Skip the check, because connection placeholders have no value yet.
    if (text.includes('{l4.')) return;
    try {
      families.add(isIP(parseLocalAddress(requiredText(text, context, 'local_address', index)).host));
    } catch (error) {
      throw context.error((error as Error).message, 'local_address', index);
    }
  }
  const preference = preferenceOf(config.resolver_preference, context);
  if (preference?.only === true && !families.has(preference.first))
    throw context.error(
      `contains no IPv${preference.first} address, which resolver_preference requires`,
      'local_address',
    );
}

function ignore(): void {}
