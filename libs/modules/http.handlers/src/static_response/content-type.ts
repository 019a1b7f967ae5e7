/** Default content types of response bodies. */

/** Returns `application/json` for a non-empty JSON object or array, otherwise the type for plain text. */
export function contentTypeOf(body: string): string {
  return looksLikeJson(body) ? 'application/json' : 'text/plain; charset=utf-8';
}

function looksLikeJson(body: string): boolean {
  const text = body.trim();
  if (text.length <= 2) return false;
  if (!(text.startsWith('{') && text.endsWith('}')) && !(text.startsWith('[') && text.endsWith(']'))) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
