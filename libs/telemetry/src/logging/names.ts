/** Filters loggers by name. A name includes its descendants: `http` includes `http.log.access`. */

/** Compiles a filter. The longest matching name takes precedence. */
export function compileFilter(include: readonly string[], exclude: readonly string[]): (logger: string) => boolean {
  if (include.length === 0 && exclude.length === 0) return () => true;
  return (logger) => {
    const excluded = longestMatch(exclude, logger);
    return include.length === 0 ? excluded < 0 : longestMatch(include, logger) > excluded;
  };
}

/**
 * Describes the conflict between two lists, or returns `null`. A name in both lists is a contradiction.
 *
 * An included name that is unrelated to all excluded names has no effect and is probably a mistake.
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

/** Returns the length of the longest name that includes a logger, or -1. */
function longestMatch(names: readonly string[], logger: string): number {
  let length = -1;
  for (const name of names) if (covers(name, logger)) length = Math.max(length, name.length);
  return length;
}
