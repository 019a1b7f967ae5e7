/** Directives that are sorted and grouped in the same way as another directive. */
const sameAs: Readonly<Record<string, string>> = { handle_path: 'handle' };

/** Returns the directive name that determines sorting and grouping. */
export function orderedName(name: string): string {
  return sameAs[name] ?? name;
}
