/** Field lines of outgoing requests: canonical names, and values that cannot break a line. */
import { RememberedFields } from './remembered-fields.ts';
import { responseField, safeValue, upgradePrefix } from './response-fields.ts';
import type { HeaderMap } from './header-map.ts';

/** Cached lines, because clients and proxies send the same few sets of fields repeatedly. */
const remembered = new RememberedFields<string>();
/** Maximum size of cached lines, in characters. */
const maxRemembered = 2048;

/** Returns all fields as lines. With `upgrades`, handshake fields use the capitalization that some peers require. */
export function requestFieldLines(headers: HeaderMap, upgrades: boolean): string {
  if (upgrades) return linesOf(headers, upgrades);
  const at = remembered.slotOf(headers, 0);
  const known = remembered.find(at, 0, headers);
  if (known !== null) return known;
  let lines = linesOf(headers, upgrades);
  if (lines.length <= maxRemembered && remembered.wants(at)) {
    // Concatenated strings are ropes in V8; a flat string is cheaper to write.
    lines = Buffer.from(lines, 'latin1').toString('latin1');
    remembered.keep(at, 0, headers, lines);
  }
  return lines;
}

function linesOf(headers: HeaderMap, upgrades: boolean): string {
  let text = '';
  for (let i = 0; i < headers.size; i++) {
    const name = headers.nameAt(i);
    const prefix = upgrades ? upgradePrefix(name) : responseField(name).prefix;
    if (prefix !== '') text += `${prefix}${safeValue(headers.valueAt(i))}\r\n`;
  }
  return text;
}
