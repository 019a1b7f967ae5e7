/** Policy that restricts the identifiers for which the CA issues certificates. */
import { BlockList, isIP } from 'node:net';
import { AcmeError } from '../protocol/acme-error.ts';
import type { Identifier } from '../protocol/problem.ts';

/** Domain names and IP ranges of an {@link IdentifierPolicy}. */
export interface RuleSet {
  /** Domain names. `example.com` matches only this name. `*.example.com` matches names with exactly one label before `.example.com`. */
  readonly domains: readonly string[];
  /** IP ranges or single addresses, such as `10.0.0.0/8`, `10.1.2.3`, or `2001:db8::/32`. */
  readonly ranges: readonly string[];
}

interface Rules {
  readonly names: ReadonlySet<string>;
  readonly addresses: BlockList | null;
}

/**
 * Decides whether identifiers are allowed. Denied identifiers are rejected. If an allow list is set, identifiers outside the list are
 * rejected too. Wildcard names are rejected unless enabled.
 */
export class IdentifierPolicy {
  readonly #allow: Rules | null;
  readonly #deny: Rules | null;
  readonly #wildcards: boolean;

  /** Ignores empty rule sets. Throws if a rule is invalid. */
  constructor(allow: RuleSet | null, deny: RuleSet | null, wildcards: boolean) {
    this.#allow = allow === null ? null : compile(allow);
    this.#deny = deny === null ? null : compile(deny);
    this.#wildcards = wildcards;
  }

  /** Reports whether the CA may issue a certificate for the identifier. */
  permits(identifier: Identifier): boolean {
    if (identifier.type === 'dns' && identifier.value.startsWith('*.') && !this.#wildcards) return false;
    if (this.#deny !== null && has(this.#deny, identifier)) return false;
    return this.#allow === null || has(this.#allow, identifier);
  }
}

function has(rules: Rules, { type, value }: Identifier): boolean {
  if (type === 'ip') return rules.addresses?.check(value, isIP(value) === 6 ? 'ipv6' : 'ipv4') ?? false;
  return rules.names.has(value) || rules.names.has(`*${value.slice(value.indexOf('.'))}`);
}

function compile({ domains, ranges }: RuleSet): Rules | null {
  if (domains.length === 0 && ranges.length === 0) return null;
  const names = new Set(domains.map(nameRule));
  if (ranges.length === 0) return { names, addresses: null };
  const addresses = new BlockList();
  for (const range of ranges) addRange(addresses, range);
  return { names, addresses };
}

function nameRule(rule: string): string {
  const name = rule.toLowerCase();
  const rest = name.startsWith('*.') ? name.slice(2) : name;
  if (rest === '' || rest.includes('*') || isIP(rest) !== 0)
    throw new AcmeError(
      'ERR_ACME_POLICY',
      `${JSON.stringify(rule)} is not a valid name rule; use a form such as "example.com" or "*.example.com"`,
    );
  return name;
}

function addRange(list: BlockList, range: string): void {
  const slash = range.indexOf('/');
  const address = slash < 0 ? range : range.slice(0, slash);
  const family = isIP(address);
  const max = family === 6 ? 128 : 32;
  const bits = slash < 0 ? max : Number(range.slice(slash + 1));
  if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > max || range.endsWith('/'))
    throw new AcmeError(
      'ERR_ACME_POLICY',
      `${JSON.stringify(range)} is not an IP range; use a form such as "10.0.0.0/8" or "10.1.2.3"`,
    );
  list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
}
