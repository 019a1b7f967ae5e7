/** Validates and normalizes the identifiers of orders (RFC 8555 §7.1.3, RFC 8738). */
import { isIP, SocketAddress } from 'node:net';
import { problem, type Identifier } from '../protocol/problem.ts';

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** Parses the identifiers of an order. Returns normalized identifiers without duplicates. */
export function readIdentifiers(value: unknown, max: number): readonly Identifier[] {
  if (!Array.isArray(value) || value.length === 0) throw problem('malformed', 'order has no identifiers');
  if (value.length > max)
    throw problem('malformed', `too many identifiers: ${value.length}, at most ${max} are allowed`);
  const found = new Map<string, Identifier>();
  for (const each of value as readonly Partial<Identifier>[]) {
    const identifier = readIdentifier(each);
    found.set(`${identifier.type} ${identifier.value}`, identifier);
  }
  return [...found.values()];
}

function readIdentifier(identifier: Partial<Identifier> | null): Identifier {
  const { type, value } = identifier ?? {};
  if (typeof type !== 'string' || typeof value !== 'string')
    throw problem('malformed', 'identifier must have type and value, both strings');
  if (type === 'ip') {
    if (isIP(value) === 0) throw problem('malformed', `${JSON.stringify(value)} is not an IP address`);
    return { type, value: canonicalAddress(value) };
  }
  if (type !== 'dns')
    throw problem('unsupportedIdentifier', `identifier type ${JSON.stringify(type)} is not supported`);
  // Clients that support only DNS identifiers send an IP address as a DNS identifier.
  if (isIP(value) !== 0) return { type: 'ip', value: canonicalAddress(value) };
  const name = value.toLowerCase();
  if (!isName(name.startsWith('*.') ? name.slice(2) : name))
    throw problem('malformed', `${JSON.stringify(value)} is not a host name; encode internationalized names as xn--…`);
  return { type, value: name };
}

function isName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((each) => label.test(each));
}

/** Returns the canonical form of an IP address, such as `::1` for `0:0::1`. */
export function canonicalAddress(address: string): string {
  return new SocketAddress({ address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4' }).address;
}
