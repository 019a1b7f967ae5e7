/** Returns a name in the form that Caddy uses in storage keys, so that Caddy and Sluice find each other's data. */
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
