/** Text of objects in configuration. */

/** Escapes braces. Otherwise, objects could use placeholders, which read files and the environment of the server. */
export function literal(text: string): string {
  return text.replaceAll(/[{}]/g, String.raw`\$&`);
}

/** Escapes a text for a regular expression (RE2). */
export function quoteRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
