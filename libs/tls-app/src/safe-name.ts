/** Returns a name as Caddy writes it in storage keys. Caddy and Sluice can therefore find each other's data. */
export function safeName(name: string): string {
  const replaced = name
    .toLowerCase()
    .trim()
    .replaceAll(' ', '_')
    .replaceAll('+', '_plus_')
    .replaceAll('*', 'wildcard_')
    .replaceAll(':', '-')
    .replaceAll('..', '');
  return replaced.replaceAll(/[^\w@.-]/g, '') || '_';
}
