/** Common parts of the configurations for `file-server`, `reverse-proxy` and `respond`. */
import type { JsonObject } from '@sluice/base';

/** A configuration created from command options, with warnings. */
export interface QuickConfig {
  readonly document: JsonObject;
  /** Listening addresses. */
  readonly listen: readonly string[];
  /** Warnings about options that are probably unintended. */
  readonly warnings: readonly string[];
}

/** Options that all of these commands support. */
export interface QuickOptions {
  readonly accessLog?: boolean;
  readonly debug?: boolean;
}

/** Limits for publicly reachable servers, with Caddy's values for these commands. Times in nanoseconds. */
export const bounds = {
  read_header_timeout: 10_000_000_000,
  idle_timeout: 30_000_000_000,
  max_header_bytes: 10_240,
} as const;

/**
 * Puts servers into a document. It has no admin endpoint, because several of these commands can run at the same time,
 * and is never saved.
 */
export function quickDocument(servers: JsonObject, { debug = false }: QuickOptions, apps: JsonObject = {}): JsonObject {
  return {
    admin: { disabled: true, config: { persist: false } },
    ...(debug ? { logging: { logs: { default: { level: 'DEBUG' } } } } : {}),
    apps: { http: { servers }, ...apps },
  };
}

/** Returns the access log settings of a server, if requested. */
export function accessLogOf({ accessLog = false }: QuickOptions): JsonObject {
  return accessLog ? { logs: {} } : {};
}
