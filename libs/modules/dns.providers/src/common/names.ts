/** Functions for DNS record names and zone names. */

/** Returns a zone name in lowercase and without its trailing dot. */
export function zoneName(zone: string): string {
  return zone.replace(/\.$/, '').toLowerCase();
}

/** Returns the fully qualified name of a record, without a trailing dot. */
export function fullName(name: string, zone: string): string {
  const domain = zoneName(zone);
  return name === '@' || name === '' ? domain : `${name.toLowerCase()}.${domain}`;
}

/** Converts a full name to a name relative to its zone. `@` refers to the zone itself. */
export function relativeName(full: string, zone: string): string {
  const [name, domain] = [zoneName(full), zoneName(zone)];
  if (name === domain) return '@';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
}

/** Replaces the relative name `@` with an empty string, which many APIs expect for the zone itself. */
export function emptyForZone(name: string): string {
  return name === '@' ? '' : name.toLowerCase();
}
