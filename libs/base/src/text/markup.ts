/** Escapes text for HTML and XML. */

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

/** Matches characters that are forbidden in XML 1.0, even as character references. */
const notPermitted = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

/**
 * Escapes text for XML content and double-quoted attribute values. Replaces characters that XML does not allow with U+FFFD. Escapes
 * carriage returns, because parsers would convert them to line feeds (XML 1.0 §2.11).
 */
export function escapeXml(text: string): string {
  return text.replace(notPermitted, '\ufffd').replace(/[&<>"\r]/g, (character) => xml[character] ?? character);
}
