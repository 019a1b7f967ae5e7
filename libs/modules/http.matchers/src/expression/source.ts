/** Expression source, before parsing. */

/**
 * Replaces `{name}` with `ph(req, "name")`, also within quotes; `\{name}` only loses its backslash. As in Caddy,
 * placeholders in quotes therefore don't work.
 */
export function replacePlaceholders(source: string): string {
  return source.replaceAll(/(\\?)\{([A-Za-z][\w.-]+)\}/g, (_, escape: string, name: string) =>
    escape === '' ? `ph(req, "${name}")` : `{${name}}`,
  );
}
