/** Filters log entries by logger name. A filter name also matches its descendants: `http` matches `http.log.access`. */

/** Compiles a logger name filter. The longest matching name takes precedence. */
export function compileFilter(include: readonly string[], exclude: readonly string[]): (logger: string) => boolean {
  if (include.length === 0 && exclude.length === 0) return () => true;
  return (logger) => {
    const excluded = longestMatch(exclude, logger);
    return include.length === 0 ? excluded < 0 : longestMatch(include, logger) > excluded;
  };
}

/**
 * Describes a conflict between the `include` and `exclude` lists, or returns `null`. A name in both lists is a contradiction.
 *
 * An included name that is unrelated to every excluded name has no effect and is probably a mistake.
 */
export function conflictOf(
  include: readonly string[],
  exclude: readonly string[],
): { readonly index: number; readonly message: string } | null {
  for (const [index, name] of include.entries())
    if (exclude.includes(name)) return { index, message: `${JSON.stringify(name)} is also in exclude` };
  if (exclude.length === 0) return null;
  const index = include.findIndex((name) => !exclude.some((other) => covers(name, other) || covers(other, name)));
  if (index < 0) return null;
  return { index, message: `no name in exclude is related to ${JSON.stringify(include[index])}` };
}

function covers(name: string, logger: string): boolean {
  return logger === name || logger.startsWith(`${name}.`);
}

/** Returns the length of the longest name that matches a logger, or -1 if none matches. */
function longestMatch(names: readonly string[], logger: string): number {
  let length = -1;
  for (const name of names) if (covers(name, logger)) length = Math.max(length, name.length);
  return length;
}
