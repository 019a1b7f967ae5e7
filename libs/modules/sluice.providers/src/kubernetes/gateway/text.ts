/** Text of objects in configuration. */

/** Escapes braces. Otherwise, Kubernetes objects could contain placeholders that read files and environment variables of the server. */
export function literal(text: string): string {
  return text.replaceAll(/[{}]/g, String.raw`\$&`);
}

/** Escapes a text for a regular expression (RE2). */
export function quoteRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
