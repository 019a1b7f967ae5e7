/** Common parts of the generated configurations for `file-server`, `reverse-proxy` and `respond`. */
import type { JsonObject } from '@sluice/base';

/** A configuration that was generated from command options, with warnings. */
export interface QuickConfig {
  readonly document: JsonObject;
  /** Listening addresses. */
  readonly listen: readonly string[];
  /** Warnings about options that are probably unintended. */
  readonly warnings: readonly string[];
}

/** Options that `file-server`, `reverse-proxy` and `respond` have in common. */
export interface QuickOptions {
  readonly accessLog?: boolean;
  readonly debug?: boolean;
}

/** Timeouts for publicly reachable servers, in nanoseconds. Caddy uses the same values for these commands. */
export const bounds = {
  read_header_timeout: 10_000_000_000,
  idle_timeout: 30_000_000_000,
  max_header_bytes: 10_240,
} as const;

/**
 * Returns a complete configuration with the given servers. The configuration is never saved. It has no admin endpoint, because several of
 * these commands can run at the same time.
 */
export function quickDocument(servers: JsonObject, { debug = false }: QuickOptions, apps: JsonObject = {}): JsonObject {
  return {
    admin: { disabled: true, config: { persist: false } },
    ...(debug ? { logging: { logs: { default: { level: 'DEBUG' } } } } : {}),
    apps: { http: { servers }, ...apps },
  };
}

/** Returns a server's access log settings. Empty unless access logs are requested. */
export function accessLogOf({ accessLog = false }: QuickOptions): JsonObject {
  return accessLog ? { logs: {} } : {};
}
