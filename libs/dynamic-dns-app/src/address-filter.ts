/** Selects IP addresses by ranges. */
import { isIPv4, isIPv6 } from 'node:net';
import { compileRanges, privateRanges } from '@sluice/base';

/** Address ranges that are not reachable from the Internet, in addition to the private ranges (RFC 6890). */
const special = ['0.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '224.0.0.0/3', '::/127', 'fe80::/10', 'ff00::/8'];

const isLocal = compileRanges([...privateRanges, ...special]);

/** Reports whether an IP address is selected. */
export type AddressFilter = (address: string) => boolean;

/**
 * Returns a filter for IP ranges. The most specific range that contains an address determines the result. If an included and an excluded
 * range are equally specific, the address is excluded. If there are no ranges, the filter selects all public addresses. Throws `ERR_VALUE`
 * for an invalid range.
 */
export function addressFilter(include: readonly string[], exclude: readonly string[]): AddressFilter {
  if (include.length === 0 && exclude.length === 0) return (address) => !isLocal(address);
  const [included, excluded] = [specificity(include), specificity(exclude)];
  return (address) => {
    const [inside, outside] = [included(address), excluded(address)];
    return inside > outside || (include.length === 0 && outside < 0);
  };
}

/**
 * Returns a function that finds the longest range prefix for an address. The function returns the prefix length, or -1 if no range contains
 * the address.
 */
function specificity(ranges: readonly string[]): (address: string) => number {
  // Validate all ranges. An error contains the position of the first invalid range.
  compileRanges(ranges);
  const prefixes = ranges.map((range) => ({ contains: compileRanges([range]), length: prefixLength(range) }));
  return (address) => {
    let longest = -1;
    for (const { contains, length } of prefixes) if (length > longest && contains(address)) longest = length;
    return longest;
  };
}

function prefixLength(range: string): number {
  const [address = '', length] = range.split('/');
  return length === undefined ? (isIPv6(address) ? 128 : 32) : Number(length);
}

/** Returns the DNS record type for an address. Returns `null` if the text is not an IP address. */
export function typeOf(address: string): 'A' | 'AAAA' | null {
  if (isIPv4(address)) return 'A';
  return isIPv6(address) ? 'AAAA' : null;
}
