/** Which logger names a log takes. A name covers itself and those below it: `http` covers `http.log.access`. */

/** Makes the decision: of the names that cover a logger the longest one decides. */
export function compileFilter(include: readonly string[], exclude: readonly string[]): (logger: string) => boolean {
  if (include.length === 0 && exclude.length === 0) return () => true;
  return (logger) => {
    const excluded = longest(exclude, logger);
    return include.length === 0 ? excluded < 0 : longest(include, logger) > excluded;
  };
}

/**
 * What is wrong with two lists, or `null`. A name in both is a contradiction, and an included one that no excluded one is
 * above or below shows that the two are about different things, which is most likely a mistake.
 */
export function conflictOf(
  include: readonly string[],
  exclude: readonly string[],
): { readonly index: number; readonly message: string } | null {
  for (const [index, name] of include.entries())
    if (exclude.includes(name)) return { index, message: `${JSON.stringify(name)} is in exclude, too` };
  if (exclude.length === 0) return null;
  const index = include.findIndex((name) => !exclude.some((other) => covers(name, other) || covers(other, name)));
  if (index < 0) return null;
  return { index, message: `nothing in exclude is above or below ${JSON.stringify(include[index])}` };
}

function covers(name: string, logger: string): boolean {
  return logger === name || logger.startsWith(`${name}.`);
}

/** Length of the longest name that covers a logger; -1 for none. */
function longest(names: readonly string[], logger: string): number {
  let length = -1;
  for (const name of names) if (covers(name, logger)) length = Math.max(length, name.length);
  return length;
}
