/**
 * Interns recent host names, so that all connections to a host share one string and comparisons are free. A host that has not been used for
 * some time loses its slot, so hostile clients cost no memory.
 */
const slots = 256;
const recent: string[] = new Array<string>(slots).fill('');

/** Returns an equal string, shared if the host was used recently. */
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
