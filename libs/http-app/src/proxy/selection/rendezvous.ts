/**
 * Rendezvous hashing (highest random weight): of all upstreams the one whose hash with the key is highest, so that only
 * the keys of an upstream move when it comes or goes. The hash is that of the reference: a fleet of both chooses alike.
 */
import type { Upstream } from '../upstream.ts';
import { encodeBytes } from '@sluice/base';
import { xxhash64, type Hash64 } from './xxhash64.ts';

/** Address and key, one after the other. Longer ones get a buffer of their own. */
const shared = Buffer.allocUnsafeSlow(1024);
const hash: Hash64 = { high: 0, low: 0 };

/** The upstream of a key among those that are available; `null` if none is. */
export function selectByHash<U extends Upstream>(upstreams: readonly U[], key: string): U | null {
  const bytes = isAscii(key) ? null : encodeBytes(key);
  const keyLength = bytes === null ? key.length : bytes.length;
  let best: U | null = null;
  let high = 0;
  let low = 0;
  for (const upstream of upstreams) {
    const { address } = upstream;
    // A unit of UTF-16 becomes three bytes at most.
    const room = 3 * address.length + keyLength;
    const buffer = room <= shared.length ? shared : Buffer.allocUnsafe(room);
    const at = buffer.write(address, 'utf8');
    if (bytes === null) buffer.write(key, at, 'latin1');
    else bytes.copy(buffer, at);
    xxhash64(buffer, at + keyLength, hash);
    const isHigher = best === null || hash.high > high || (hash.high === high && hash.low > low);
    if (isHigher && upstream.available) {
      best = upstream;
      ({ high, low } = hash);
    }
  }
  return best;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
