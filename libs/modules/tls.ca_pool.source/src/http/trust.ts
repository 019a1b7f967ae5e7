/** TLS settings of downloads. */
import { caPoolSources } from '@sluice/contracts';
import { messageOf, parseDuration } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import type { tlsOptions } from './options.ts';

export interface Trust {
  /** `null` means system CAs. */
  readonly ca: readonly string[] | null;
  readonly insecure: boolean;
  /** `null` means the URL host. */
  readonly serverName: string | null;
  /** Download timeout, in milliseconds. */
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
