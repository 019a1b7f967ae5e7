/** Preprocessing of expression source before parsing. */

/**
 * Replaces `{name}` with `ph(req, "name")`, also inside quotes. Removes the backslash from `\{name}`. As in Caddy, placeholders inside
 * quotes therefore don't work.
 */
export function replacePlaceholders(source: string): string {
  return source.replaceAll(/(\\?)\{([A-Za-z][\w.-]+)\}/g, (_, escape: string, name: string) =>
    escape === '' ? `ph(req, "${name}")` : `{${name}}`,
  );
}
