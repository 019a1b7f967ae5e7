/** What the configurations of `file-server`, `reverse-proxy` and `respond` have in common. */
import type { JsonObject } from '@sluice/base';

/** A configuration that a command made of its options, and what it could not make of them. */
export interface QuickConfig {
  readonly document: JsonObject;
  /** The addresses of its servers. */
  readonly listen: readonly string[];
  /** What is not as it was probably meant. */
  readonly warnings: readonly string[];
}

/** Options that all of these commands have. */
export interface QuickOptions {
  readonly accessLog?: boolean;
  readonly debug?: boolean;
}

/** Bounds of servers that may be reached by anyone, as the reference sets them for these commands. Times in nanoseconds. */
export const bounds = {
  read_header_timeout: 10_000_000_000,
  idle_timeout: 30_000_000_000,
  max_header_bytes: 10_240,
} as const;

/** Wraps servers: without an admin endpoint, as several such commands may run, and never saved. */
export function quickDocument(servers: JsonObject, { debug = false }: QuickOptions, apps: JsonObject = {}): JsonObject {
  return {
    admin: { disabled: true, config: { persist: false } },
    ...(debug ? { logging: { logs: { default: { level: 'DEBUG' } } } } : {}),
    apps: { http: { servers }, ...apps },
  };
}

/** The access log of a server, if it is asked for. */
export function accessLogOf({ accessLog = false }: QuickOptions): JsonObject {
  return accessLog ? { logs: {} } : {};
}
