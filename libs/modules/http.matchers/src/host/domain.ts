/** Request sets defined by host patterns, for static checks of routes. */
import { isArray } from '@sluice/base';
import type { Domain } from '@sluice/http-app';
import { asciiHost } from './labels.ts';

/** Returns the request set of a `host` matcher. Returns `null` if a placeholder or an IP address prevents the analysis. */
export function hostDomain(options: unknown): Domain | null {
  if (!isArray(options as never)) return null;
  const hosts: string[] = [];
  for (const each of options as readonly unknown[]) {
    const host = typeof each === 'string' && !/[{:[\]]/.test(each) ? asciiOrNull(each) : null;
    if (host === null) return null;
    hosts.push(host);
  }
  return new Hosts(hosts);
}

function asciiOrNull(host: string): string | null {
  try {
    return asciiHost(host);
  } catch {
    return null;
  }
}

/** The set of requests whose host is in a list of hostnames and wildcard patterns. Wildcard patterns are indexed by their labels. */
class Hosts implements Domain {
  readonly keys: readonly string[];
  readonly #patterns: ReadonlySet<string>;
  readonly #wildcards: readonly (readonly string[])[];

  constructor(hosts: readonly string[]) {
    this.keys = hosts;
    this.#patterns = new Set(hosts);
    this.#wildcards = hosts.map((host) => host.split('.')).filter((labels) => labels.includes('*'));
  }

  get seeks(): readonly string[] {
    const [first] = this.keys;
    return first === undefined ? [] : maskings(first.split('.'));
  }

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  covers(other: Domain): boolean {
    return other instanceof Hosts && other.keys.every((host) => this.#holds(host));
  }

  excludes(other: Domain): boolean {
    if (!(other instanceof Hosts)) return false;
    if (this.#wildcards.length === 0 && other.#wildcards.length === 0)
      return !other.keys.some((host) => this.#patterns.has(host));
    const theirs = other.keys.map((host) => host.split('.'));
    return !this.keys.some((host) => theirs.some((labels) => haveCommon(host.split('.'), labels)));
  }

  #holds(host: string): boolean {
    if (this.#patterns.has(host)) return true;
    if (this.#wildcards.length === 0) return false;
    const labels = host.split('.');
    return this.#wildcards.some(
      (pattern) =>
        pattern.length === labels.length && pattern.every((label, i) => label === '*' || label === labels[i]),
    );
  }
}

/** Reports whether there is a host that both patterns match. */
function haveCommon(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((label, i) => label === '*' || b[i] === '*' || label === b[i]);
}

/**
 * Returns all wildcard patterns that match a host. For a host with more than six labels, returns only the host and `*.` plus its parent
 * domain.
 */
function maskings(labels: readonly string[]): readonly string[] {
  if (labels.length > 6) return [labels.join('.'), ['*', ...labels.slice(1)].join('.')];
  let made = [''];
  for (const [i, label] of labels.entries()) {
    const dot = i === 0 ? '' : '.';
    made = made.flatMap((head) => (label === '*' ? [`${head}${dot}*`] : [`${head}${dot}${label}`, `${head}${dot}*`]));
  }
  return made;
}
