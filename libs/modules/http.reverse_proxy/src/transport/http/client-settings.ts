/** Converts transport options to settings, and to the key of their connection pool. */
import { networkProxies, resolveGlobalText, timeOption, tlsSettings } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import { parseForwardProxy, proxyAuthorization } from './forward-proxy.ts';
import type { HttpTransportConfig } from './options.ts';
import type { OriginSettings } from './origin-settings.ts';
import { lookupWith, makeResolver } from '../../common/resolver.ts';
import type { ForwardProxy } from './settings.ts';

const second = 1000;
const minute = 60 * second;
const defaultMaxIdlePerAddress = 256;
const defaultMaxHeaderBytes = 10 * 1024 * 1024;
const knownVersions: ReadonlySet<string> = new Set(['1.1', '2', 'h2c', '3']);

/** Transport settings, with the key of their connection pool. */
export interface ResolvedSettings {
  readonly settings: OriginSettings;
  readonly key: string;
}

export async function clientSettings(config: HttpTransportConfig, context: Context): Promise<ResolvedSettings> {
  const time = (name: TimeName, fallback: number): number => timeOption(config[name], fallback, context, name);
  const versions = versionsOf(config, context);
  const tls = config.tls ? await tlsSettings(config.tls, context) : null;
  const proxyUrl = await forwardProxyUrl(config, context);
  const forwardProxy = proxyOf(proxyUrl, config, context);
  if (versions.includes('3')) checkHttp3(config, versions, forwardProxy !== null, context);
  const dialTimeout = time('dial_timeout', 3 * second);
  const resolver = makeResolver(config.resolver?.addresses, dialTimeout, context);
  const keepAlive = config.keep_alive ?? {};
  const plain = {
    keepAlive: keepAlive.enabled !== false,
    probeInterval: timeOption(keepAlive.probe_interval, 30 * second, context, 'keep_alive', 'probe_interval'),
    maxIdle: keepAlive.max_idle_conns ?? 0,
    maxIdlePerAddress: keepAlive.max_idle_conns_per_host || defaultMaxIdlePerAddress,
    idleTimeout: timeOption(keepAlive.idle_timeout, 2 * minute, context, 'keep_alive', 'idle_timeout'),
    maxConnections: config.max_conns_per_host ?? 0,
    compression: config.compression !== false,
    dialTimeout,
    fallbackDelay: time('dial_fallback_delay', 300),
    responseHeaderTimeout: time('response_header_timeout', 0),
    expectContinueTimeout: time('expect_continue_timeout', 0),
    readTimeout: time('read_timeout', 0),
    writeTimeout: time('write_timeout', 0),
    maxHeaderBytes: config.max_response_header_size || defaultMaxHeaderBytes,
    localAddress: config.local_address ?? '',
    proxyProtocol:
      config.proxy_protocol === 'v1' ? (1 as const) : config.proxy_protocol === 'v2' ? (2 as const) : (0 as const),
    h2c: versions.includes('h2c'),
    // As in Caddy, HTTP/1.1 is the fallback if ALPN does not negotiate h2. This applies even if only version 2 is configured.
    http1: versions.includes('1.1') || versions.includes('2'),
    http2: versions.includes('2'),
    http3: versions.includes('3'),
  };
  const key = JSON.stringify([plain, tls?.key ?? null, proxyUrl, config.resolver?.addresses ?? []]);
  const style = {
    close: !plain.keepAlive,
    compression: plain.compression,
    proxyAuthorization: forwardProxy === null ? '' : proxyAuthorization(forwardProxy),
  };
  return {
    settings: {
      ...plain,
      tls: tls?.settings ?? null,
      forwardProxy,
      lookup: resolver === null ? null : lookupWith(resolver),
      style,
    },
    key,
  };
}

type TimeName =
  | 'dial_timeout'
  | 'dial_fallback_delay'
  | 'response_header_timeout'
  | 'expect_continue_timeout'
  | 'read_timeout'
  | 'write_timeout';

function versionsOf(config: HttpTransportConfig, context: Context): readonly string[] {
  const versions = config.versions ?? [];
  for (const [index, version] of versions.entries()) {
    if (!knownVersions.has(version))
      throw context.error(
        `HTTP version ${JSON.stringify(version)} is not supported for upstreams; use 1.1, 2, h2c or 3`,
        'versions',
        index,
      );
  }
  return versions.length === 0 ? ['1.1', '2'] : versions;
}

/** Throws if HTTP/3 does not support an option. */
function checkHttp3(
  config: HttpTransportConfig,
  versions: readonly string[],
  hasProxy: boolean,
  context: Context,
): void {
  if (versions.length > 1) throw context.error('"3" cannot be combined with other versions', 'versions');
  if (!config.tls) throw context.error('"3" requires tls: HTTP/3 is always encrypted', 'versions');
  if (hasProxy) throw context.error('"3" cannot be used with a network proxy, which supports only TCP', 'versions');
  if (config.proxy_protocol)
    throw context.error('"3" cannot be used with the PROXY protocol, which requires TCP', 'proxy_protocol');
}

async function forwardProxyUrl(config: HttpTransportConfig, context: Context): Promise<string> {
  if (config.network_proxy)
    return resolveGlobalText(
      (await context.loadInline(networkProxies, config.network_proxy, 'from', 'network_proxy')).url,
    );
  return resolveGlobalText(config.forward_proxy_url ?? '');
}

function proxyOf(url: string, config: HttpTransportConfig, context: Context): ForwardProxy | null {
  if (url === '') return null;
  try {
    return parseForwardProxy(url);
  } catch (error) {
    throw context.error((error as Error).message, config.network_proxy ? 'network_proxy' : 'forward_proxy_url');
  }
}
