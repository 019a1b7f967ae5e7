/**
 * Content hash of a node, for ETags and for finding equal subtrees. It is a Merkle hash: the hash of a container combines the hashes of its
 * children and is cached with the node. After a change, only the nodes on the changed path are hashed again. The hash is based on cyrb53.
 * It uses two 32-bit lanes and keeps 53 of the 64 bits. It is fast and well distributed, but not collision-resistant. Code that relies on
 * equality must also compare the content.
 */
import type { Json, JsonObject } from '@sluice/base';

/** Cached hashes of containers. Small containers are not cached, because hashing them again is faster than a lookup. */
const remembered = new WeakMap<object, number>();

/** Minimum number of descendants for caching a container's hash. */
const worthRemembering = 12;

/** Total number of nodes hashed so far. The increase during the hashing of a subtree is the size of the subtree. */
let hashed = 0;

/** Returns the hash as 16 hexadecimal digits. Equal content has equal hashes, regardless of key order. */
export function hashNode(node: Json): string {
  return hashOf(node).toString(16).padStart(16, '0');
}

/** Returns the hash as an integer below 2^53. */
export function hashOf(node: Json): number {
  hashed++;
  if (typeof node === 'string') return hashText(node, 1);
  if (typeof node !== 'object' || node === null) return hashText(String(node), 2);
  const known = remembered.get(node);
  if (known !== undefined) return known;
  const before = hashed;
  const hash = Array.isArray(node) ? hashArray(node as readonly Json[]) : hashObject(node as JsonObject);
  if (hashed - before >= worthRemembering) remembered.set(node, hash);
  return hash;
}

function hashArray(array: readonly Json[]): number {
  let low = 0x9e3779b9;
  let high = array.length;
  for (const item of array) {
    const hash = hashOf(item);
    low = Math.imul(low ^ hash, 2654435761);
    high = Math.imul(high ^ upper(hash) ^ low, 1597334677);
  }
  return finish(low, high);
}

/** Returns the hash of an object. It is the sum of the hashes of its entries, so key order doesn't matter. */
function hashObject(object: JsonObject): number {
  let low = 0x85ebca6b;
  let high = 0xc2b2ae35;
  for (const key of Object.keys(object)) {
    const name = hashText(key, 3);
    const value = hashOf(object[key] as Json);
    const first = Math.imul(name ^ 0x27d4eb2f, 2654435761) ^ Math.imul(value ^ upper(name), 2246822507);
    const entry = finish(first, Math.imul(upper(value) ^ name, 3266489909));
    low = (low + entry) | 0;
    high = (high + upper(entry)) | 0;
  }
  return finish(low, high);
}

/**
 * Returns the hash of a string. The seed distinguishes types. The seed is multiplied first, because an XOR with the first character could
 * otherwise cancel it out.
 */
function hashText(text: string, seed: number): number {
  let low = Math.imul(0xdeadbeef ^ seed, 2654435761);
  let high = Math.imul(0x41c6ce57 ^ seed, 1597334677);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  return finish(low, high);
}

function finish(low: number, high: number): number {
  const first = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const second = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return (second & 0x1fffff) * 0x1_0000_0000 + (first >>> 0);
}

/** Returns the bits above the lowest 32 bits. Bitwise operations ignore these bits. */
function upper(hash: number): number {
  return Math.floor(hash / 0x1_0000_0000);
}
