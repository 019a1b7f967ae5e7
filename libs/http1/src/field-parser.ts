/**
 * Parses header field lines (RFC 9112 §5) incrementally. Validates each byte once. Records the positions of values, and creates strings
 * only when the section is complete. The parsers for heads and trailers extend this class. Most sections arrive in one piece and are parsed
 * in place. Other sections are copied into the parser's buffer, and parsing resumes at the first incomplete line.
 */
import { carriageReturn, colon, lineFeed, lowerNameByte, space, tab, valueByte, valueEnd } from './byte-classes.ts';
import { addToHash, findFieldName, isName, transferEncodingField } from './field-names.ts';
import { LineMemory, type SectionFields } from './line-memory.ts';
import { high, LineTable, plain, trimmedEnd } from './line-table.ts';
import { badFieldName, badRequest, headTooLarge, unknownCoding, type Refusal } from './refusal.ts';

/** Result if the section continues in bytes that have not arrived yet. */
export const incomplete = -1;
/** Result if the section is invalid; the reason is in {@link FieldParser.refusal}. */
export const refused = -2;

/** Maximum number of lines in a section. A section with more lines is rejected with status 431. */
const maxLines = 2000;
/** Maximum size of a buffer that is reused for the next section, in bytes. */
const maxSpare = 4096;
const nothing = Buffer.alloc(0);

/** Base class of parsers that record the lines of consecutive sections. */
export abstract class FieldParser extends LineTable {
  /** Maximum size of a section in bytes, including the request line. */
  limit: number;
  /** Reason why the last section was rejected. */
  refusal: Refusal = badRequest;
  /** Offset of the first incomplete line, relative to the start of the section. */
  protected at = 0;
  /** Buffered bytes of an incomplete section. */
  #held: Buffer = nothing;
  #heldLength = 0;

  constructor(limit: number) {
    super(new LineMemory());
    this.limit = limit;
  }

  /** True if a part of the current section has arrived. */
  get begun(): boolean {
    return this.#heldLength > 0;
  }

  /**
   * Continues parsing with `bytes[start..end)`. Returns the offset after the section. Returns {@link incomplete} if all bytes were
   * consumed, and {@link refused} if the section is invalid. Keeps no reference to `bytes`.
   */
  feed(bytes: Buffer, start: number, end: number): number {
    if (this.#heldLength > 0) return this.#feedHeld(bytes, start, end);
    const after = this.scan(bytes, start, end);
    if (after === incomplete) return this.#hold(bytes, start, end);
    if (after - start > this.limit) return this.refuse(headTooLarge);
    return after;
  }

  #hold(bytes: Buffer, start: number, end: number): number {
    const size = end - start;
    if (size > this.limit) return this.refuse(headTooLarge);
    if (this.#held.length < size) this.#held = Buffer.allocUnsafe(Math.max(1024, size * 2));
    bytes.copy(this.#held, 0, start, end);
    this.#heldLength = size;
    return incomplete;
  }

  #feedHeld(bytes: Buffer, start: number, end: number): number {
    const before = this.#heldLength;
    // Copy at most one byte beyond the limit, which is enough to detect that the section is too long.
    const size = Math.min(end - start, this.limit + 1 - before);
    if (this.#held.length < before + size) {
      const larger = Buffer.allocUnsafe((before + size) * 2);
      this.#held.copy(larger, 0, 0, before);
      this.#held = larger;
    }
    bytes.copy(this.#held, before, start, start + size);
    this.#heldLength = before + size;
    // The new bytes contain no line feed, so no further line is complete.
    const ended = this.#held.subarray(before, before + size).includes(lineFeed);
    const after = ended ? this.scan(this.#held, 0, before + size) : incomplete;
    if (after === refused) return refused;
    if (after === incomplete && before + size <= this.limit) return incomplete;
    if (after === incomplete || after > this.limit) return this.refuse(headTooLarge);
    this.#heldLength = 0;
    if (this.#held.length > maxSpare) this.#held = nothing;
    return start + after - before;
  }

  /** Resets the parser for the next section. */
  protected restart(): void {
    this.forgetLines();
    this.at = 0;
    this.#heldLength = 0;
  }

  /** Parses the section that starts at `base`, beginning at offset {@link at}. Returns the same results as {@link feed}. */
  protected abstract scan(bytes: Buffer, base: number, end: number): number;

  /** Creates names and values from `bytes`. Called when all lines are complete. */
  protected abstract complete(bytes: Buffer, base: number): boolean;

  /** Reuses a {@link sumUp cached} section. Called if the whole section is identical to it. */
  protected completeAgain(_bytes: Buffer, _base: number, _fields: SectionFields): boolean {
    return false;
  }

  /** Parses field lines up to and including the empty line. */
  protected scanLines(bytes: Buffer, base: number, from: number, end: number): number {
    if (this.count === 0) {
      const after = this.repeatSection(bytes, from, end);
      if (after > 0) return this.completeAgain(bytes, base, this.repeatedFields) ? after : refused;
    }
    let i = from;
    while (i < end) {
      const byte = bytes[i];
      if (byte === carriageReturn) {
        if (i + 1 === end) break;
        if (bytes[i + 1] !== lineFeed) return this.refuse(badRequest);
        return this.#end(bytes, base) ? i + 2 : refused;
      }
      if (byte === lineFeed) return this.#end(bytes, base) ? i + 1 : refused;
      const next =
        byte === space || byte === tab ? this.#scanFold(bytes, base, i, end) : this.#scanLine(bytes, base, i, end);
      if (next === refused) return refused;
      if (next === incomplete) break;
      i = next;
    }
    this.at = i - base;
    return incomplete;
  }

  /** Completes the section. */
  #end(bytes: Buffer, base: number): boolean {
    if (!this.complete(bytes, base)) return false;
    this.keepLines(bytes, base);
    return true;
  }

  #scanLine(bytes: Buffer, base: number, start: number, end: number): number {
    const { count } = this;
    const after = this.repeatLine(bytes, base, start, end);
    if (after > 0) return after;
    let i = start;
    // First try the name at this position in the previous section, because it is usually the same.
    let name = this.lineNames[count];
    const likelyEnd = name === undefined ? end : start + name.name.length;
    if (name !== undefined && likelyEnd < end && bytes[likelyEnd] === colon && isName(name.name, bytes, start)) {
      i = likelyEnd;
    } else {
      let hash = 0;
      let lower = 0;
      while (i < end && (lower = lowerNameByte[bytes[i] as number] as number) !== 0) {
        hash = addToHash(hash, lower);
        i++;
      }
      if (i === end) return incomplete;
      if (bytes[i] !== colon || i === start) return this.#badName(bytes, i, end);
      name = findFieldName(bytes, start, i, hash);
    }
    i++;
    while (i < end && (bytes[i] === space || bytes[i] === tab)) i++;
    const valueStart = i;
    let form = plain;
    let kind = 0;
    for (; i < end; i++) {
      kind = valueByte[bytes[i] as number] as number;
      if (kind === 0) continue;
      if (kind === valueEnd) break;
      form = high;
    }
    if (i === end) return incomplete;
    const next = this.#lineEnd(bytes, i, end);
    if (next < 0) return next;
    if (count === maxLines) return this.refuse(headTooLarge);
    this.lineNames[count] = name;
    this.spans[2 * count] = valueStart - base;
    this.spans[2 * count + 1] = trimmedEnd(bytes, valueStart, i) - base;
    this.forms[count] = form;
    this.lineRead(start - base, next - base);
    return next;
  }

  /**
   * Parses an obsolete folded line, which continues the previous line (RFC 9112 §5.2). Folded lines are accepted, as in
   * Caddy.
   */
  #scanFold(bytes: Buffer, base: number, start: number, end: number): number {
    if (this.count === 0) return this.refuse(badRequest);
    let i = start;
    while (i < end && valueByte[bytes[i] as number] !== valueEnd) i++;
    if (i === end) return incomplete;
    const next = this.#lineEnd(bytes, i, end);
    if (next < 0) return next;
    const last = this.count - 1;
    const after = trimmedEnd(bytes, start, i);
    // Reject `chunked` followed by a blank folded line. Recipients disagree about whether such a value means chunked.
    if (after === start && this.lineNames[last]?.kind === transferEncodingField) return this.refuse(unknownCoding);
    this.lineFolded(after - base, next - base);
    return next;
  }

  /** Returns the offset after CRLF or after a bare LF, which recipients may accept (RFC 9112 §2.2). */
  #lineEnd(bytes: Buffer, i: number, end: number): number {
    if (bytes[i] === lineFeed) return i + 1;
    if (bytes[i] !== carriageReturn) return this.refuse(badRequest);
    if (i + 1 === end) return incomplete;
    return bytes[i + 1] === lineFeed ? i + 2 : this.refuse(badRequest);
  }

  /** Rejects an invalid field name. The error response includes the name only if the name contains a space and is followed by a colon. */
  #badName(bytes: Buffer, i: number, end: number): number {
    if (bytes[i] !== space) return this.refuse(badRequest);
    for (let k = i; k < end; k++) {
      if (bytes[k] === colon) return this.refuse(badFieldName);
      if (bytes[k] === lineFeed) return this.refuse(badRequest);
    }
    return incomplete;
  }

  protected refuse(refusal: Refusal): number {
    this.refusal = refusal;
    return refused;
  }
}
