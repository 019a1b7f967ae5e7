/**
 * Rendezvous hashing (highest random weight) selects the upstream with the highest hash for the key. Adding or removing an upstream
 * reassigns only the keys of that upstream. The hash function is the same as Caddy's, so Caddy and Sluice instances choose the same
 * upstream.
 */
import type { Upstream } from '../upstream.ts';
import { encodeBytes } from '@sluice/base';
import { xxhash64, type Hash64 } from './xxhash64.ts';

/** Buffer for hashing an address and a key. Longer input gets a temporary buffer. */
const shared = Buffer.allocUnsafeSlow(1024);
const hash: Hash64 = { high: 0, low: 0 };

/** Returns the available upstream with the highest hash for the key, or `null`. */
export function selectByHash<U extends Upstream>(upstreams: readonly U[], key: string): U | null {
  const bytes = isAscii(key) ? null : encodeBytes(key);
  const keyLength = bytes === null ? key.length : bytes.length;
  let best: U | null = null;
  let high = 0;
  let low = 0;
  for (const upstream of upstreams) {
    const { address } = upstream;
    // A UTF-16 code unit takes up at most three bytes in UTF-8.
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
