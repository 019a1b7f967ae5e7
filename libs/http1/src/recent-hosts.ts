/**
 * Interns recently used host names. All connections to a host share one string, which makes comparisons fast. An unused host loses its slot
 * after some time, so malicious clients can't increase memory use.
 */
const slots = 256;
const recent: string[] = new Array<string>(slots).fill('');

/** Returns a string that is equal to the host. If the host was used recently, this is the shared string. */
export function recentHost(host: string): string {
  const { length } = host;
  if (length === 0) return host;
  const slot =
    (length * 31 + host.charCodeAt(0) * 7 + host.charCodeAt(length >> 1) * 3 + host.charCodeAt(length - 1)) % slots;
  const known = recent[slot];
  if (known === host) return known;
  recent[slot] = host;
  return host;
}
