/** Access logs of a server: one entry per request, in the shape that readers of the reference's logs know. */
import { canonicalHeaderName, type Logger, type Options } from '@sluice/registry';
import { hostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '../exchange/headers.ts';
import { statusOf } from '../routing/chain.ts';
import type { logOptions } from './options.ts';

/** Fields that carry credentials; their values are not logged unless the configuration says so. */
const credentials = new Set(['cookie', 'set-cookie', 'authorization', 'proxy-authorization']);
const redacted = ['REDACTED'];

/** The logger of the default access log. */
const baseName = 'http.log.access';

/** Writes entries for the exchanges of a server. */
export class AccessLog {
  readonly #default: readonly Logger[];
  /** Host, exact or `*.example.com` -> loggers. */
  readonly #byHost: ReadonlyMap<string, readonly Logger[]>;
  readonly #skipHosts: ReadonlySet<string>;
  readonly #skipUnmapped: boolean;
  readonly #showCredentials: boolean;

  constructor(config: Options<typeof logOptions>, log: Logger) {
    const named = (name: string): Logger => log.named(name === '' ? baseName : `${baseName}.${name}`);
    this.#default = [named(config.default_logger_name ?? '')];
    const names = (config.logger_names ?? {}) as Readonly<Record<string, string | readonly string[]>>;
    this.#byHost = new Map(Object.entries(names).map(([host, list]) => [host.toLowerCase(), [list].flat().map(named)]));
    this.#skipHosts = new Set((config.skip_hosts ?? []).map((host) => host.toLowerCase()));
    this.#skipUnmapped = config.skip_unmapped_hosts ?? false;
    this.#showCredentials = config.should_log_credentials ?? false;
  }

  /** Writes the entry of an exchange that is over. Called by the server. */
  write(exchange: Exchange): void {
    if (exchange.variable('log_skip') === true) return;
    const host = hostOf(exchange.host).toLowerCase();
    if (this.#matchesSkip(host)) return;
    const mapped = this.#loggersOf(host);
    if (mapped === undefined && this.#skipUnmapped) return;
    const { writer } = exchange;
    const status = writer.status !== 0 ? writer.status : exchange.error === null ? 0 : statusOf(exchange.error);
    const level = status >= 500 ? 'error' : 'info';
    let fields: Record<string, unknown> | null = null;
    for (const logger of mapped ?? this.#default) {
      if (!logger.enabled(level)) continue;
      fields ??= this.#fields(exchange, exchange.aborted && writer.status === 0 ? 499 : status);
      logger[level]('handled request', fields);
    }
  }

  #matchesSkip(host: string): boolean {
    return (
      this.#skipHosts.size > 0 &&
      (this.#skipHosts.has(host) || this.#skipHosts.has(`*${host.slice(host.indexOf('.'))}`))
    );
  }

  #loggersOf(host: string): readonly Logger[] | undefined {
    if (this.#byHost.size === 0) return undefined;
    return this.#byHost.get(host) ?? this.#byHost.get(`*${host.slice(host.indexOf('.'))}`);
  }

  #fields(exchange: Exchange, status: number): Record<string, unknown> {
    const { connection, writer } = exchange;
    const fields: Record<string, unknown> = {
      request: {
        remote_ip: connection.remoteAddress,
        remote_port: String(connection.remotePort),
        client_ip: exchange.clientIp,
        proto: exchange.proto,
        method: exchange.originalMethod,
        host: exchange.host,
        uri: exchange.originalUri,
        headers: this.#headers(exchange.headers),
        ...(connection.tls === null
          ? {}
          : {
              tls: {
                resumed: connection.tls.resumed,
                version: connection.tls.version,
                cipher_suite: connection.tls.cipherSuite,
                proto: connection.tls.protocol,
                server_name: connection.tls.serverName,
              },
            }),
      },
      bytes_read: Math.max(0, exchange.body.length),
      user_id: String(exchange.placeholder('http.auth.user.id') ?? ''),
      duration: performance.now() - exchange.startedAt,
      size: writer.size,
      status,
      resp_headers: this.#headers(writer.headers),
    };
    if (exchange.logFields !== null) for (const [name, value] of exchange.logFields) fields[name] = value;
    return fields;
  }

  #headers(headers: HeaderMap): Record<string, readonly string[]> {
    const fields: Record<string, string[]> = {};
    for (let i = 0; i < headers.size; i++) {
      const lower = headers.names[i] as string;
      const name = canonicalHeaderName(lower);
      if (!this.#showCredentials && credentials.has(lower)) fields[name] = redacted;
      else (fields[name] ??= []).push(headers.values[i] as string);
    }
    return fields;
  }
}
