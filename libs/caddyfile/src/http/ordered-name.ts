/** Directives that are sorted and grouped like another directive. */
const sameAs: Readonly<Record<string, string>> = { handle_path: 'handle' };

/** Returns the name by which a directive is sorted and grouped. */
export function orderedName(name: string): string {
  return sameAs[name] ?? name;
}
