/**
 * Parses response heads (RFC 9112 §4, §5) incrementally. Accepts bare line feeds and folded lines, as in Caddy. Ignores fields with a space
 * in the name. Rejects all other violations.
 */
import { itemAt, byteAt, numberAt } from '@sluice/base';
import { addToHash, findFieldName, isName, type FieldName } from './field-names.ts';
import { HeaderMap } from './header-map.ts';
import { incomplete, refused } from './field-parser.ts';
import { lowerNameByte, valueByte, valueEnd } from './byte-classes.ts';
import { LineMemory } from './line-memory.ts';
import { high, LineTable, plain, trimmedEnd } from './line-table.ts';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const colon = 0x3a;

const tooLarge = 'response head is too large';
const nothing = Buffer.alloc(0);
/** Marker for a line that is ignored. */
const dropped: FieldName = { name: '', kind: -1, irregular: true };

/** Response parser of one connection. Holds the last head until the next head is complete. */
export class ResponseParser extends LineTable {
  status = 0;
  /** `HTTP/1.1` … */
  proto = 'HTTP/1.1';
  /** True if the HTTP version is at least 1.1. For these versions, connections persist by default, and bodies may be chunked. */
  modern = true;
  headers: HeaderMap = new HeaderMap();
  /** Reason for rejecting the head. */
  problem = '';
  readonly #limit: number;
  /** Offset of the first incomplete line, relative to the start of the head. */
  #at = 0;
  #held: Buffer = nothing;
  #heldLength = 0;

  /**
   * `limit` is the maximum head size in bytes. `memory` is a line cache that all connections to an upstream share, because their heads are
   * similar.
   */
  constructor(limit: number, memory: LineMemory = new LineMemory()) {
    super(memory);
    this.#limit = limit;
  }

  /** True if a part of a head has arrived. */
  get begun(): boolean {
    return this.#heldLength > 0;
  }

  /** Continues parsing with `bytes[from..to)`. Returns the offset after the head, {@link incomplete} or {@link refused}. */
  feed(bytes: Buffer, from: number, to: number): number {
    if (this.#heldLength > 0) return this.#feedHeld(bytes, from, to);
    const end = this.#scan(bytes, from, to);
    if (end >= 0) return end - from > this.#limit ? this.#refuse(tooLarge) : end;
    if (end === incomplete) {
      if (to - from > this.#limit) return this.#refuse(tooLarge);
      this.#hold(bytes, from, to);
    }
    return end;
  }

  #feedHeld(bytes: Buffer, from: number, to: number): number {
    const before = this.#heldLength;
    this.#hold(bytes, from, to);
    // The new bytes contain no line feed, so no further line is complete. This check avoids rescanning a head that arrives byte by byte.
    const ended = this.#held.subarray(before, this.#heldLength).includes(lineFeed);
    const end = ended ? this.#scan(this.#held, 0, this.#heldLength) : incomplete;
    if (end === refused) return refused;
    if ((end === incomplete ? this.#heldLength : end) > this.#limit) return this.#refuse(tooLarge);
    if (end === incomplete) return incomplete;
    this.#held = nothing;
    this.#heldLength = 0;
    return from + end - before;
  }

  /** Buffers an incomplete head. */
  #hold(bytes: Buffer, from: number, to: number): void {
    const size = this.#heldLength + to - from;
    if (this.#held.length < size) {
      const larger = Buffer.allocUnsafe(Math.max(1024, size * 2));
      this.#held.copy(larger, 0, 0, this.#heldLength);
      this.#held = larger;
    }
    bytes.copy(this.#held, this.#heldLength, from, to);
    this.#heldLength = size;
  }

  #refuse(problem: string): number {
    this.problem = problem;
    return refused;
  }

  /** Parses lines of the head that starts at `base`, beginning at offset {@link #at}. */
  #scan(bytes: Buffer, base: number, length: number): number {
    let i = base + this.#at;
    if (i === base) {
      i = this.#scanStatusLine(bytes, base, length);
      if (i < 0) return i;
      const after = this.repeatSection(bytes, i, length);
      if (after > 0) {
        const { names, values } = this.repeatedFields;
        this.headers = new HeaderMap(names.slice(), values.slice());
        return after;
      }
      this.#at = i - base;
    }
    while (i < length) {
      const byte = bytes[i];
      if (byte === carriageReturn && i + 1 === length) break;
      if (byte === lineFeed || (byte === carriageReturn && bytes[i + 1] === lineFeed)) {
        this.#complete(bytes, base);
        return byte === lineFeed ? i + 1 : i + 2;
      }
      const next =
        byte === space || byte === tab
          ? this.#scanFold(bytes, base, i, length)
          : this.#scanLine(bytes, base, i, length);
      if (next === refused) return refused;
      if (next === incomplete) break;
      i = next;
    }
    this.#at = i - base;
    return incomplete;
  }

  #scanStatusLine(bytes: Buffer, start: number, length: number): number {
    const feed = bytes.indexOf(lineFeed, start);
    if (feed < 0 || feed >= length) return length - start > this.#limit ? this.#refuse(tooLarge) : incomplete;
    const end = feed > start && bytes[feed - 1] === carriageReturn ? feed - 1 : feed;
    // Fast path for exactly `HTTP/1.1 200`, which doesn't create a string.
    if (
      end - start >= 12 &&
      bytes[start] === 0x48 &&
      bytes[start + 1] === 0x54 &&
      bytes[start + 2] === 0x54 &&
      bytes[start + 3] === 0x50 &&
      bytes[start + 4] === 0x2f &&
      isDigit(bytes[start + 5]) &&
      bytes[start + 6] === 0x2e &&
      isDigit(bytes[start + 7]) &&
      bytes[start + 8] === space &&
      isDigit(bytes[start + 9]) &&
      isDigit(bytes[start + 10]) &&
      isDigit(bytes[start + 11]) &&
      (end - start === 12 || bytes[start + 12] === space)
    ) {
      const major = byteAt(bytes, start + 5) - 0x30;
      const minor = byteAt(bytes, start + 7) - 0x30;
      this.modern = major > 1 || (major === 1 && minor > 0);
      this.proto = major === 1 && minor === 1 ? 'HTTP/1.1' : `HTTP/${major}.${minor}`;
      this.status =
        (byteAt(bytes, start + 9) - 0x30) * 100 +
        (byteAt(bytes, start + 10) - 0x30) * 10 +
        byteAt(bytes, start + 11) -
        0x30;
      if (this.status >= 100) return feed + 1;
    }
    return this.#refuse(
      `malformed status line: ${JSON.stringify(bytes.toString('latin1', start, Math.min(end, start + 64)))}`,
    );
  }

  #scanLine(bytes: Buffer, base: number, start: number, length: number): number {
    const { count } = this;
    const after = this.repeatLine(bytes, base, start, length);
    if (after > 0) return after;
    let i = start;
    // First try the name at this position in the previous head, because it is usually the same.
    let name = this.lineNames[count];
    const likelyEnd = name === undefined || name === dropped ? length : start + name.name.length;
    if (name !== undefined && likelyEnd < length && bytes[likelyEnd] === colon && isName(name.name, bytes, start)) {
      i = likelyEnd;
    } else {
      let hash = 0;
      let lower = 0;
      while (i < length && (lower = lowerNameByte[bytes[i] as number] as number) !== 0) {
        hash = addToHash(hash, lower);
        i++;
      }
      if (i === length) return incomplete;
      const named = bytes[i] === colon && i > start;
      if (!named && (i === start || !(i = skipName(bytes, i, length))))
        return this.#refuse('field line without a name');
      if (i < 0) return incomplete;
      name = named ? findFieldName(bytes, start, i, hash) : dropped;
    }
    i++;
    while (i < length && (bytes[i] === space || bytes[i] === tab)) i++;
    const valueStart = i;
    let form = plain;
    let kind = 0;
    for (; i < length; i++) {
      kind = valueByte[bytes[i] as number] as number;
      if (kind === 0) continue;
      if (kind === valueEnd) break;
      form = high;
    }
    const next = this.#lineEnd(bytes, i, length);
    if (next < 0) return next;
    this.lineNames[count] = name;
    this.spans[2 * count] = valueStart - base;
    this.spans[2 * count + 1] = trimmedEnd(bytes, valueStart, i) - base;
    this.forms[count] = form;
    this.lineRead(start - base, next - base);
    return next;
  }

  /** Parses a folded line, which continues the previous line (RFC 9112 §5.2). */
  #scanFold(bytes: Buffer, base: number, start: number, length: number): number {
    if (this.count === 0) return this.#refuse('first field line is folded');
    let i = start;
    while (i < length && valueByte[bytes[i] as number] !== valueEnd) i++;
    const next = this.#lineEnd(bytes, i, length);
    if (next < 0) return next;
    const last = this.count - 1;
    const after = trimmedEnd(bytes, start, i);
    if (after === start && this.lineNames[last]?.name === 'transfer-encoding')
      return this.#refuse('Transfer-Encoding is folded onto a line that contains only whitespace');
    this.lineFolded(after - base, next - base);
    return next;
  }

  #lineEnd(bytes: Buffer, i: number, length: number): number {
    if (i === length) return incomplete;
    if (bytes[i] === lineFeed) return i + 1;
    if (bytes[i] === carriageReturn) {
      if (i + 1 === length) return incomplete;
      if (bytes[i + 1] === lineFeed) return i + 2;
    }
    return this.#refuse('control character in a field line');
  }

  #complete(bytes: Buffer, base: number): void {
    const { count } = this;
    const headers = new HeaderMap();
    const { names, values } = headers;
    // Slice all values from one string, because a native call per value is slower.
    const text = this.fresh === 0 ? '' : bytes.toString('latin1', base, base + numberAt(this.spans, 2 * count - 1));
    for (let i = 0; i < count; i++) {
      const field = itemAt(this.lineNames, i);
      if (field === dropped) continue;
      names.push(field.name);
      values.push(this.valueOf(i, text, bytes, base));
    }
    this.headers = headers;
    if (this.wantsSum) this.sumUp(names, values, '');
    this.keepLines(bytes, base);
    this.forgetLines();
    this.#at = 0;
  }
}

/**
 * Skips an invalid field name. Returns -1 if the line is incomplete, and 0 if it contains no colon. Ignores the line if it contains a
 * colon.
 */
function skipName(bytes: Buffer, from: number, length: number): number {
  for (let i = from; i < length; i++) {
    const byte = bytes[i];
    if (byte === colon) return i;
    if (byte === lineFeed || byte === 0) return 0;
  }
  return -1;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
