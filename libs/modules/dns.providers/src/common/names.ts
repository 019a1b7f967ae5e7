/** Names of records and zones. */

/** Returns a zone without its trailing dot, in lower case. */
export function zoneName(zone: string): string {
  return zone.replace(/\.$/, '').toLowerCase();
}

/** Returns the full name of a record, without a trailing dot. */
export function fullName(name: string, zone: string): string {
  const domain = zoneName(zone);
  return name === '@' || name === '' ? domain : `${name.toLowerCase()}.${domain}`;
}

/** Returns a full name relative to its zone; `@` for the zone. */
export function relativeName(full: string, zone: string): string {
  const [name, domain] = [zoneName(full), zoneName(zone)];
  if (name === domain) return '@';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
}

/** Returns a relative name, with an empty string for the zone, as many APIs expect. */
export function emptyForZone(name: string): string {
  return name === '@' ? '' : name.toLowerCase();
}
