/** Removes HTML tags from a string. */

/**
 * Removes text between `<` and `>`. Quoted angle brackets are ignored, and nested tags are counted. An unterminated tag removes the rest of
 * the string.
 */
export function stripHtml(text: string): string {
  let plain = '';
  let depth = 0;
  let from = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (quote !== '') {
      if (unit === quote) quote = '';
    } else if (unit === '<') {
      if (depth === 0) plain += text.slice(from, i);
      depth++;
    } else if (depth === 0) continue;
    else if (unit === '>') {
      depth--;
      from = i + 1;
    } else if (unit === '"' || unit === "'") quote = unit;
  }
  return depth === 0 ? plain + text.slice(from) : plain;
}
