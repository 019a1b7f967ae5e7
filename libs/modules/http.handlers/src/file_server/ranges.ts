/** Parses range requests (RFC 9110 §14). Clients send them to request parts of a file. */

/** A byte range of a file. `start` is its first byte. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** Parsed Range header: the whole file, parts, malformed, or unsatisfiable. */
export type Wanted =
  | { readonly kind: 'whole' | 'malformed' | 'unsatisfiable' }
  | { readonly kind: 'parts'; readonly parts: readonly ByteRange[] };

/** Maximum number of ranges in a request. If a request contains more, the whole file is sent. */
const maxParts = 1000;
/** Maximum value of a number in a range (2⁶³ - 1). Larger numbers are invalid, as in Caddy. */
const maxNumber = 9223372036854775807n;

const whole: Wanted = { kind: 'whole' };
const malformed: Wanted = { kind: 'malformed' };
const unsatisfiable: Wanted = { kind: 'unsatisfiable' };

/**
 * Parses a Range header for a file of `size` bytes. Ranges beyond the end of the file are dropped if other ranges remain. If the total size
 * of the ranges exceeds the file size, the whole file is sent, as RFC 9110 §14.2 permits.
 */
export function parseRange(field: string, size: number): Wanted {
  if (field === '') return whole;
  if (!field.startsWith('bytes=')) return malformed;
  const parts: ByteRange[] = [];
  let beyond = false;
  let total = 0;
  const specs = field.slice('bytes='.length).split(',', maxParts + 1);
  if (specs.length > maxParts) return whole;
  for (const spec of specs) {
    const text = trim(spec);
    if (text === '') continue;
    const part = parsePart(text, size);
    if (part === 'malformed') return malformed;
    if (part === null) beyond = true;
    else {
      parts.push(part);
      total += part.length;
    }
  }
  if (parts.length === 0) return beyond && size > 0 ? unsatisfiable : whole;
  return total > size ? whole : { kind: 'parts', parts };
}

/** Parses a single range. Returns `null` for a range beyond the end of the file. */
function parsePart(text: string, size: number): ByteRange | 'malformed' | null {
  const dash = text.indexOf('-');
  if (dash < 0) return 'malformed';
  const first = trim(text.slice(0, dash));
  const last = trim(text.slice(dash + 1));
  if (first === '') {
    const length = last.startsWith('-') ? -1 : parseNumber(last);
    if (length < 0) return 'malformed';
    const start = Math.max(0, size - length);
    return { start, length: size - start };
  }
  const start = parseNumber(first);
  if (start < 0) return 'malformed';
  // If the range starts beyond the end of the file, its end is not validated.
  if (start >= size) return null;
  const end = last === '' ? size - 1 : parseNumber(last);
  if (end < start) return 'malformed';
  return { start, length: Math.min(end, size - 1) - start + 1 };
}

/** Parses a number. Returns -1 if the text is invalid. A sign is accepted, as in Caddy. */
function parseNumber(text: string): number {
  const digits = text.startsWith('+') ? text.slice(1) : text;
  if (!/^\d+$/.test(digits)) return -1;
  if (digits.length > 15 && BigInt(digits) > maxNumber) return -1;
  return Number(digits);
}

function trim(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
