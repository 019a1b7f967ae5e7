/** Escaping for HTML and XML. */

const html: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Escapes text for HTML content and attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => html[character] ?? character);
}

const xml: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Characters that XML 1.0 does not permit, not even as references. */
const notPermitted = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

/**
 * Escapes text for XML content and attribute values in double quotes. Characters that XML does not permit are replaced by U+FFFD. Carriage returns are
 * escaped, because parsers would convert them to line feeds (XML 1.0 §2.11).
 */
export function escapeXml(text: string): string {
  return text.replace(notPermitted, '\ufffd').replace(/[&<>"\r]/g, (character) => xml[character] ?? character);
}
