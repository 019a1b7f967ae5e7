/** Formats the field lines of outgoing requests, with canonical names and with values that can't contain line breaks. */
import { RememberedFields } from './remembered-fields.ts';
import { responseField, safeValue, upgradePrefix } from './response-fields.ts';
import type { HeaderMap } from './header-map.ts';

/** Cached field lines. Clients and proxies repeatedly send the same few sets of fields. */
const remembered = new RememberedFields<string>();
/** Maximum size of cached lines, in characters. */
const maxRemembered = 2048;

/** Returns all fields as lines. If `upgrades` is true, the names of handshake fields use the letter case that some peers require. */
export function requestFieldLines(headers: HeaderMap, upgrades: boolean): string {
  if (upgrades) return linesOf(headers, upgrades);
  const at = remembered.slotOf(headers, 0);
  const known = remembered.find(at, 0, headers);
  if (known !== null) return known;
  let lines = linesOf(headers, upgrades);
  if (lines.length <= maxRemembered && remembered.wants(at)) {
    // Flatten the string: V8 represents concatenated strings as ropes, and a flat string is faster to write.
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
