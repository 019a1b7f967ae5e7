/**
 * Rendezvous hashing (highest random weight): of all upstreams the one whose hash with the key is highest, so that only
 * the keys of an upstream move when it comes or goes.
 */
import type { Upstream } from '@sluice/http-app';

/** Hashes of addresses. They come from configurations and sources, so their number is bounded. */
const known = new Map<string, number>();
const maxKnown = 4096;

/** The upstream of a key among those that are available; `null` if none is. */
export function selectByHash(upstreams: readonly Upstream[], key: string): Upstream | null {
  const hash = hashOf(key);
  let best: Upstream | null = null;
  let highest = -1;
  for (const upstream of upstreams) {
    const weight = mixed(hash ^ addressHash(upstream.address));
    if (weight > highest && upstream.available) {
      best = upstream;
      highest = weight;
    }
  }
  return best;
}

function addressHash(address: string): number {
  let hash = known.get(address);
  if (hash === undefined) {
    hash = mixed(hashOf(address));
    if (known.size >= maxKnown) known.clear();
    known.set(address, hash);
  }
  return hash;
}

/** FNV-1a over the code units of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** The finaliser of MurmurHash3: spreads all bits; gives an unsigned number. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
