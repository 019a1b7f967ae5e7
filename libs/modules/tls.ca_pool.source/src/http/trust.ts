/** TLS settings for downloads of CA certificates. */
import { caPoolSources } from '@sluice/contracts';
import { messageOf, parseDuration } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import type { tlsOptions } from './options.ts';

export interface Trust {
  /** Trusted CA certificates, or `null` to use the system's CAs. */
  readonly ca: readonly string[] | null;
  readonly insecure: boolean;
  /** Expected server name, or `null` to use the URL's host. */
  readonly serverName: string | null;
  /** Timeout of a download, in milliseconds. */
  readonly timeout: number;
}

const defaultTimeout = 10_000;

export async function trustOf(config: Options<typeof tlsOptions>, context: Context): Promise<Trust> {
  const ca = config.ca ?? null;
  const pool = ca === null ? null : await context.loadInline(caPoolSources, ca, 'provider', 'tls', 'ca');
  return {
    ca: pool?.certificates ?? null,
    insecure: config.insecure_skip_verify ?? false,
    serverName: config.server_name || null,
    timeout: timeoutOf(config.handshake_timeout, context),
  };
}

function timeoutOf(value: Options<typeof tlsOptions>['handshake_timeout'], context: Context): number {
  try {
    return parseDuration(value ?? 0) || defaultTimeout;
  } catch (error) {
    throw context.error(messageOf(error), 'tls', 'handshake_timeout');
  }
}
