/** Formats Caddyfiles. */

/** The text in the usual form. */
export function formatCaddyfile(text: string): string {
  return text;
}
