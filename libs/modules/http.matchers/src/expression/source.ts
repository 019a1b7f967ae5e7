/** The text of an expression before it is parsed. */

/**
 * Replaces `{name}` by `ph(req, "name")`, wherever it stands, also in quotes; `\{name}` stays as it is, without the
 * backslash. So does the reference, and that tells why a placeholder in quotes is of no use.
 */
export function replacePlaceholders(source: string): string {
  return source.replaceAll(/(\\?)\{([A-Za-z][\w.-]+)\}/g, (_, escape: string, name: string) =>
    escape === '' ? `ph(req, "${name}")` : `{${name}}`,
  );
}
