/** Field lines of requests that go out: names in canonical form, values that cannot break a line. */
import { RememberedFields } from './remembered-fields.ts';
import { responseField, safeValue, upgradePrefix } from './response-fields.ts';
import type { HeaderMap } from './header-map.ts';

/** Clients, and proxies that pass their requests on, send the same few sets of fields again and again. */
const remembered = new RememberedFields<string>();
/** Longer ones are not worth remembering. */
const maxRemembered = 2048;

/** All fields as lines. `upgrades`: those of a handshake have the form that some peers look for. */
export function requestFieldLines(headers: HeaderMap, upgrades: boolean): string {
  if (upgrades) return linesOf(headers, upgrades);
  const at = remembered.slotOf(headers, 0);
  const known = remembered.find(at, 0, headers);
  if (known !== null) return known;
  let lines = linesOf(headers, upgrades);
  if (lines.length <= maxRemembered && remembered.wants(at)) {
    // Texts that were put together are trees; a flat one is cheaper to send.
    lines = Buffer.from(lines, 'latin1').toString('latin1');
    remembered.keep(at, 0, headers, lines);
  }
  return lines;
}

function linesOf({ names, values }: HeaderMap, upgrades: boolean): string {
  let text = '';
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const prefix = upgrades ? upgradePrefix(name) : responseField(name).prefix;
    if (prefix !== '') text += `${prefix}${safeValue(values[i] as string)}\r\n`;
  }
  return text;
}
