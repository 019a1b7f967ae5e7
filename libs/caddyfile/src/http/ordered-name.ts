/** Directives that are ordered and grouped as another one. */
const sameAs: Readonly<Record<string, string>> = { handle_path: 'handle' };

/** The name under which a directive is ordered and grouped. */
export function orderedName(name: string): string {
  return sameAs[name] ?? name;
}
