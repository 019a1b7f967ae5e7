/** Text from Kubernetes objects in the configuration. */

/** Escapes braces. Otherwise, placeholders in Kubernetes objects could read files and environment variables of the server. */
export function literal(text: string): string {
  return text.replaceAll(/[{}]/g, String.raw`\$&`);
}

/** Escapes a string for a regular expression (RE2). */
export function quoteRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
