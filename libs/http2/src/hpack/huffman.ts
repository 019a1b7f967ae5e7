/**
 * HPACK Huffman decoder (RFC 7541 §5.2, appendix B) that processes one byte at a time. The state is a node of the code tree. For each node
 * and byte, a table contains the next node and up to two decoded symbols.
 */
import { numberAt } from '@sluice/base';

/** Code length of each byte, in bits. The code is canonical: codes ascend by length, then by symbol. */
const lengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26,
];
const endOfString = 256;
const endOfStringBits = 30;

/** Bit layout of a table entry: next node, symbols, symbol count, and flags. */
const nodeMask = 0xff;
const firstShift = 8;
const secondShift = 16;
const countShift = 24;
/** Flag: the string may end at this node, because the remaining bits are valid padding. */
const mayEnd = 1 << 26;
/** Flag: the string contains the end-of-string symbol, which is an error. */
const failed = 1 << 27;

interface Tree {
  /** Children of each node for bits 0 and 1. A leaf is stored as -1 minus the symbol. */
  readonly children: readonly [number[], number[]];
}

/** Decoding table, created on first use because it takes 256 KiB. */
let table: Uint32Array | null = null;

/** Output buffer, reused for every string. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** Maximum encoded length, in bytes. The shortest code has 5 bits, so longer input might not fit into the buffer. */
const maxEncoded = (scratch.length / 8) * 5;

/** Decodes the string in `bytes[from..end)` as Latin-1. Returns `null` if it is invalid or too long. */
export function decodeHuffman(bytes: Buffer, from: number, end: number): string | null {
  if (end - from > maxEncoded) return null;
  table ??= makeTable();
  let node = 0;
  let length = 0;
  let entry = mayEnd;
  for (let i = from; i < end; i++) {
    entry = table[(node << 8) | (bytes[i] as number)] as number;
    const count = (entry >>> countShift) & 3;
    if (count > 0) {
      scratch[length++] = entry >>> firstShift;
      if (count === 2) scratch[length++] = entry >>> secondShift;
    }
    if ((entry & failed) !== 0) return null;
    node = entry & nodeMask;
  }
  return (entry & mayEnd) === 0 ? null : scratch.toString('latin1', 0, length);
}

function makeTable(): Uint32Array {
  const tree = makeTree();
  const ends = paddingNodes(tree);
  const made = new Uint32Array(256 * 256);
  for (let node = 0; node < tree.children[0].length; node++)
    for (let byte = 0; byte < 256; byte++) made[(node << 8) | byte] = entryOf(tree, ends, node, byte);
  return made;
}

function entryOf({ children }: Tree, ends: ReadonlySet<number>, from: number, byte: number): number {
  let node = from;
  let entry = 0;
  let count = 0;
  for (let bit = 7; bit >= 0; bit--) {
    const next = numberAt(children[(byte >> bit) & 1 ? 1 : 0], node);
    if (next >= 0) {
      node = next;
      continue;
    }
    const symbol = -1 - next;
    if (symbol === endOfString) return failed;
    entry |= symbol << (count++ === 0 ? firstShift : secondShift);
    node = 0;
  }
  return (entry | node | (count << countShift) | (ends.has(node) ? mayEnd : 0)) >>> 0;
}

function makeTree(): Tree {
  const tree: Tree = { children: [[0], [0]] };
  const symbols = lengths.map((_, symbol) => symbol).sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  let code = 0;
  let bits = 0;
  for (const symbol of symbols) {
    code <<= lengthOf(symbol) - bits;
    bits = lengthOf(symbol);
    addCode(tree, code++, bits, symbol);
  }
  addCode(tree, 2 ** endOfStringBits - 1, endOfStringBits, endOfString);
  return tree;
}

function addCode({ children }: Tree, code: number, bits: number, symbol: number): void {
  let node = 0;
  for (let bit = bits - 1; bit > 0; bit--) {
    const side = children[(code >>> bit) & 1 ? 1 : 0];
    if (side[node] === 0) {
      side[node] = children[0].length;
      children[0].push(0);
      children[1].push(0);
    }
    node = numberAt(side, node);
  }
  children[code & 1 ? 1 : 0][node] = -1 - symbol;
}

/** Returns the nodes at which a string may end. These are the nodes reached by fewer than eight 1 bits (RFC 7541 §5.2). */
function paddingNodes({ children }: Tree): ReadonlySet<number> {
  const nodes = new Set<number>();
  for (let node = 0; nodes.size < 8; node = numberAt(children[1], node)) nodes.add(node);
  return nodes;
}

function lengthOf(symbol: number): number {
  return numberAt(lengths, symbol);
}
