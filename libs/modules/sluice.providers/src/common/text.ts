/** Escaping of strings from Kubernetes objects and container labels. */

/** Escapes braces. Otherwise, authors of objects and labels could use placeholders to read the server's files and environment variables. */
export function literal(text: string): string {
  return text.replaceAll(/[{}]/g, String.raw`\$&`);
}

/** Escapes a string for a regular expression (RE2). */
export function quoteRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
