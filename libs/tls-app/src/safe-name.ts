/** A name as the reference writes it in keys of a storage, so that what is stored is found by both. */
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
