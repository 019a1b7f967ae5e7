/** Access loggers by host: `logs.logger_names`, `default_logger_name`, `skip_hosts`, `skip_unmapped_hosts`. */
import { isIP } from 'node:net';
import type { Logger } from '@sluice/base';
import { hostOf } from '../exchange/authority.ts';

/** Options that assign logger names to hosts. */
export interface HostLoggersOptions {
  readonly defaultName: string;
  /** Logger names by host. A host is an exact name or a wildcard such as `*.example.com`. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly skipHosts: readonly string[];
  readonly skipUnmapped: boolean;
}

const none: readonly Logger[] = [];

export class HostLoggers {
  readonly #default: readonly Logger[];
  readonly #byHost: ReadonlyMap<string, readonly Logger[]>;
  readonly #skipHosts: ReadonlySet<string>;
  readonly #skipUnmapped: boolean;
  /** True if all hosts use the same loggers. */
  readonly #uniform: boolean;

  /** `base` is the parent logger, for example `http.log.access`. Each configured name is appended to the parent's name. */
  constructor(options: HostLoggersOptions, base: Logger) {
    const named = (name: string): Logger => (name === '' ? base : base.named(`${base.name}.${name}`));
    this.#default = [named(options.defaultName)];
    this.#byHost = new Map([...options.names].map(([host, names]) => [host.toLowerCase(), names.map(named)]));
    this.#skipHosts = new Set(options.skipHosts.map((host) => host.toLowerCase()));
    this.#skipUnmapped = options.skipUnmapped;
    this.#uniform = this.#byHost.size === 0 && this.#skipHosts.size === 0 && !this.#skipUnmapped;
  }

  /** Returns the loggers for a request. The list is empty if the host is not logged. */
  ofRequest(authority: string): readonly Logger[] {
    if (this.#uniform) return this.#default;
    const host = hostOf(authority).toLowerCase();
    const wildcard = wildcardOf(host);
    if (this.#skipHosts.has(host) || this.#skipHosts.has(wildcard)) return none;
    const mapped = this.#byHost.get(host) ?? this.#byHost.get(wildcard);
    return mapped ?? (this.#skipUnmapped ? none : this.#default);
  }

  /** Returns the loggers for an error. Errors are logged even for hosts that have no access log. */
  ofError(authority: string): readonly Logger[] {
    if (this.#byHost.size === 0) return this.#default;
    const host = hostOf(authority).toLowerCase();
    return this.#byHost.get(host) ?? this.#byHost.get(wildcardOf(host)) ?? this.#default;
  }
}

/** Returns the wildcard that covers a host: `a.example.com` -> `*.example.com`, `localhost` -> `*`. IP addresses have no wildcard. */
function wildcardOf(host: string): string {
  if (isIP(host) !== 0) return host;
  const dot = host.indexOf('.');
  return dot < 0 ? '*' : `*${host.slice(dot)}`;
}
