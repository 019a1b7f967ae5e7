/** Addresses by which the servers of the document and of providers are matched. */
import { listAt, listenerKey, parseNetworkAddress, type Json } from '@sluice/base';

/** Addresses that were seen last. A cluster has thousands of objects for few addresses. */
const keys = new Map<string, string>();
const maxKeys = 1000;

/** Returns the listen addresses of a server in canonical form, so that `:80` and `tcp/[::]:80` are the same. */
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

/** Returns an invalid address unchanged: the app that uses the address rejects it. */
function canonical(text: string): string {
  try {
    return listenerKey(parseNetworkAddress(text)).replace(/^tcp\//, '');
  } catch {
    return text;
  }
}
