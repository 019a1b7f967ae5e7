/** Listen addresses by which servers of the document and of providers are matched. */
import { listAt, listenerKey, parseNetworkAddress, type Json } from '@sluice/base';

/** Cache of recently parsed addresses. A cluster has thousands of objects but few addresses. */
const keys = new Map<string, string>();
const maxKeys = 1000;

/** Returns a server's listen addresses in canonical form. For example, `:80` and `tcp/[::]:80` are equal. */
export function addressesOf(server: Json): readonly string[] {
  return listAt(server, ['listen'])
    .filter((each) => typeof each === 'string')
    .map(keyOf);
}

function keyOf(text: string): string {
  const known = keys.get(text);
  if (known !== undefined) return known;
  if (keys.size >= maxKeys) keys.clear();
  const key = canonical(text);
  keys.set(text, key);
  return key;
}

/** Returns the canonical form of an address. An invalid address is returned unchanged, because the app that uses it rejects it. */
function canonical(text: string): string {
  try {
    return listenerKey(parseNetworkAddress(text)).replace(/^tcp\//, '');
  } catch {
    return text;
  }
}
