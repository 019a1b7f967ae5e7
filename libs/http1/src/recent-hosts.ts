/**
 * Hosts that were named lately, so that all connections to one host share one text: comparing it with itself costs nothing,
 * and it is in memory once. A host that has not been named for a while loses its slot to others; hostile clients cost no memory.
 */
const slots = 256;
const recent: string[] = new Array<string>(slots).fill('');

/** The same text, as it was given before if it was lately. */
export function recentHost(host: string): string {
  const { length } = host;
  if (length === 0) return host;
  const slot =
    (length * 31 + host.charCodeAt(0) * 7 + host.charCodeAt(length >> 1) * 3 + host.charCodeAt(length - 1)) % slots;
  const known = recent[slot] as string;
  if (known === host) return known;
  recent[slot] = host;
  return host;
}
