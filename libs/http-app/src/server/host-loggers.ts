/** Which loggers a host has: `logs.logger_names`, `default_logger_name`, `skip_hosts`, `skip_unmapped_hosts`. */
import { isIP } from 'node:net';
import type { Logger } from '@sluice/base';
import { hostOf } from '../exchange/authority.ts';

/** What is configured of the names of a server's loggers. */
export interface HostLoggersOptions {
  readonly defaultName: string;
  /** Host, exact or `*.example.com` -> names. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly skipHosts: readonly string[];
  readonly skipUnmapped: boolean;
}

const none: readonly Logger[] = [];

/** Finds loggers by host. */
export class HostLoggers {
  readonly #default: readonly Logger[];
  readonly #byHost: ReadonlyMap<string, readonly Logger[]>;
  readonly #skipHosts: ReadonlySet<string>;
  readonly #skipUnmapped: boolean;
  /** No host differs from another. */
  readonly #uniform: boolean;

  /** `base` is the logger that names are appended to, such as `http.log.access`. */
  constructor(options: HostLoggersOptions, base: Logger) {
    const named = (name: string): Logger => (name === '' ? base : base.named(`${base.name}.${name}`));
    this.#default = [named(options.defaultName)];
    this.#byHost = new Map([...options.names].map(([host, names]) => [host.toLowerCase(), names.map(named)]));
    this.#skipHosts = new Set(options.skipHosts.map((host) => host.toLowerCase()));
    this.#skipUnmapped = options.skipUnmapped;
    this.#uniform = this.#byHost.size === 0 && this.#skipHosts.size === 0 && !this.#skipUnmapped;
  }

  /** The loggers of a request, by the host that it names; none if it is not to be logged. */
  ofRequest(authority: string): readonly Logger[] {
    if (this.#uniform) return this.#default;
    const host = hostOf(authority).toLowerCase();
    const wildcard = wildcardOf(host);
    if (this.#skipHosts.has(host) || this.#skipHosts.has(wildcard)) return none;
    const mapped = this.#byHost.get(host) ?? this.#byHost.get(wildcard);
    return mapped ?? (this.#skipUnmapped ? none : this.#default);
  }

  /** The loggers of an error, which is logged whether or not the request is. */
  ofError(authority: string): readonly Logger[] {
    if (this.#byHost.size === 0) return this.#default;
    const host = hostOf(authority).toLowerCase();
    return this.#byHost.get(host) ?? this.#byHost.get(wildcardOf(host)) ?? this.#default;
  }
}

/** `a.example.com` -> `*.example.com`, `localhost` -> `*`. Addresses have none. */
function wildcardOf(host: string): string {
  if (isIP(host) !== 0) return host;
  const dot = host.indexOf('.');
  return dot < 0 ? '*' : `*${host.slice(dot)}`;
}
