/**
 * Content hash of a node, for ETags and for pairing equal subtrees. It is a Merkle hash: the hash of a container is made
 * of those of its children and remembered with the node, so after a change only the changed path is hashed again.
 */
import type { Json, JsonObject } from './json.ts';

const remembered = new WeakMap<object, string>();

/** 64 bits as 16 hexadecimal digits; equal content gives equal text whatever the order of object keys. */
export function hashNode(node: Json): string {
  if (typeof node !== 'object' || node === null) return hashText(JSON.stringify(node));
  const known = remembered.get(node);
  if (known !== undefined) return known;
  let text: string;
  if (Array.isArray(node)) {
    text = '[';
    for (const item of node as readonly Json[]) text += hashNode(item);
  } else {
    text = '{';
    const object = node as JsonObject;
    for (const key of Object.keys(object).sort()) text += `${JSON.stringify(key)}:${hashNode(object[key] as Json)}`;
  }
  const hash = hashText(text);
  remembered.set(node, hash);
  return hash;
}

/** cyrb53-like mix of two 32-bit lanes: quick, well spread, not meant against an adversary. */
function hashText(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return hex(high) + hex(low);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
