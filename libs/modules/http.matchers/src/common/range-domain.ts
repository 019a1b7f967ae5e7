/** Request sets defined by IP ranges, for static checks of routes. */
import { isArray, isObject, own, parseIpRange, type IpRange, type Json } from '@sluice/base';
import type { Domain } from '@sluice/http-app';

/**
 * Returns the set of requests that `remote_ip` or `client_ip` matches. Returns `null` if a range is invalid, or contains a zone or a
 * placeholder.
 */
export function rangeDomain(options: unknown): Domain | null {
  const ranges = isObject(options as Json) ? own(options as Record<string, Json>, 'ranges') : undefined;
  if (!isArray(ranges)) return null;
  try {
    const parsed = ranges.map((each) => parseIpRange(String(each)));
    return parsed.some(({ zone }) => zone !== '') ? null : new Ranges(parsed);
  } catch {
    return null;
  }
}

class Ranges implements Domain {
  readonly keys: readonly string[] = [];
  readonly seeks: readonly string[] = [];
  readonly #ranges: readonly IpRange[];

  constructor(ranges: readonly IpRange[]) {
    this.#ranges = ranges;
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  covers(other: Domain): boolean {
    return other instanceof Ranges && other.#ranges.every((range) => this.#ranges.some((each) => holds(each, range)));
  }

  excludes(other: Domain): boolean {
    return other instanceof Ranges && !this.#ranges.some((each) => other.#ranges.some((range) => overlap(each, range)));
  }
}

function holds(a: IpRange, b: IpRange): boolean {
  return a.family === b.family && compare(a.first, b.first) <= 0 && compare(b.last, a.last) <= 0;
}

function overlap(a: IpRange, b: IpRange): boolean {
  return a.family === b.family && compare(a.first, b.last) <= 0 && compare(b.first, a.last) <= 0;
}

function compare(a: Uint32Array, b: Uint32Array): number {
  for (const [index, word] of a.entries()) {
    const other = b[index] ?? 0;
    if (word !== other) return word - other;
  }
  return 0;
}
