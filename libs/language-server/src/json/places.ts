/** Maps configuration paths to text ranges, and text offsets to their context. */
import type { ConfigPath } from '@sluice/base';
import type { Span } from '../text/span.ts';
import type { Entry, JsonNode, ObjectNode } from './parse.ts';

/** Returns the last entry for a key, because later entries override earlier ones. */
export function entryOf(node: ObjectNode, key: string): Entry | undefined {
  return node.entries.findLast((entry) => entry.key === key);
}

/** Returns the text range of the value at a path. If the value doesn't exist, returns the range of its closest existing ancestor. */
export function spanAt(root: JsonNode, path: ConfigPath): Span {
  let node = root;
  for (const key of path) {
    const entry = node.kind === 'object' ? entryOf(node, key) : undefined;
    const next = node.kind === 'array' ? node.items[Number(key)] : entry?.value;
    if (next === undefined || next === null) return entry?.keySpan ?? shown(node);
    node = next;
  }
  return shown(node);
}

/** Returns the text range of the key at a path. If the value has no key, returns the range of the value. */
export function keySpanAt(root: JsonNode, path: ConfigPath): Span {
  const parent = nodeAt(root, path.slice(0, -1));
  const entry = parent?.kind === 'object' ? entryOf(parent, path.at(-1) ?? '') : undefined;
  return entry?.keySpan ?? spanAt(root, path);
}

/** Returns the value at a path, or `null` if it doesn't exist. */
export function nodeAt(root: JsonNode, path: ConfigPath): JsonNode | null {
  let node: JsonNode | null = root;
  for (const key of path) {
    if (node?.kind === 'object') node = entryOf(node, key)?.value ?? null;
    else if (node?.kind === 'array') node = node.items[Number(key)] ?? null;
    else return null;
  }
  return node;
}

/** Returns the range to mark. For an object or array, this is only the opening bracket, because the value may span many lines. */
function shown({ kind, start, end }: JsonNode): Span {
  return kind === 'scalar' ? { start, end } : { start, end: Math.min(start + 1, end) };
}

/** Context of a text offset in a JSON configuration. */
export interface JsonCursor {
  /** Configuration path of the value at the cursor, or of the object that contains the key. */
  readonly path: ConfigPath;
  /** True if the cursor is in a key, or at a position where a key may be typed. */
  readonly inKey: boolean;
  /** Range of the key or value at the cursor; `null` if the cursor is between them. */
  readonly touched: Span | null;
}

/** Returns the context of a text offset. */
export function jsonCursorAt(root: JsonNode | null, offset: number): JsonCursor {
  const path: string[] = [];
  let node = root;
  for (;;) {
    if (node === null) return { path, inKey: false, touched: null };
    if (node.kind === 'scalar') return { path, inKey: false, touched: touches(node, offset) ? node : null };
    if (node.kind === 'array') {
      const items: readonly JsonNode[] = node.items;
      const inside = items.findIndex((item) => touches(item, offset));
      if (inside < 0) {
        const before = items.filter(({ end }) => end <= offset).length;
        return { path: [...path, String(before)], inKey: false, touched: null };
      }
      path.push(String(inside));
      node = items[inside] ?? null;
    } else {
      const before = node.entries.findLast(({ keySpan }) => keySpan.start <= offset);
      if (before === undefined) return { path, inKey: true, touched: null };
      if (touches(before.keySpan, offset)) return { path, inKey: true, touched: before.keySpan };
      const { key, value } = before;
      if (value === null || offset < value.start) return { path: [...path, key], inKey: false, touched: null };
      if (!touches(value, offset) || (value.kind !== 'scalar' && offset >= value.end)) {
        return { path, inKey: true, touched: null };
      }
      path.push(key);
      node = value;
    }
  }
}

function touches({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}
