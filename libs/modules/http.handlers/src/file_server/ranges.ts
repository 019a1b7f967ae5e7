/** Range requests (RFC 9110 §14): parts of a file requested by a client. */

/** A byte range of a file, beginning at `start`. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** Result of a Range field: the whole file, parts, invalid, or unsatisfiable. */
export type Wanted =
  | { readonly kind: 'whole' | 'malformed' | 'unsatisfiable' }
  | { readonly kind: 'parts'; readonly parts: readonly ByteRange[] };

/** Maximum ranges in a request; with more, the whole file is sent. */
const maxParts = 1000;
/** Larger numbers are invalid, as in Caddy (2⁶³ - 1). */
const maxNumber = 9223372036854775807n;

const whole: Wanted = { kind: 'whole' };
const malformed: Wanted = { kind: 'malformed' };
const unsatisfiable: Wanted = { kind: 'unsatisfiable' };

/**
 * Parses a Range field for a file of `size` bytes. Ranges beyond the end are dropped if others remain. If the ranges
 * add up to more than the file, the whole file is sent, as RFC 9110 §14.2 permits.
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

/** Returns `null` for a range beyond the end. */
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
  // The end of such a range is not validated.
  if (start >= size) return null;
  const end = last === '' ? size - 1 : parseNumber(last);
  if (end < start) return 'malformed';
  return { start, length: Math.min(end, size - 1) - start + 1 };
}

/** Returns -1 if the text is not a number. A sign is accepted, as in Caddy. */
function parseNumber(text: string): number {
  const digits = text.startsWith('+') ? text.slice(1) : text;
  if (!/^\d+$/.test(digits)) return -1;
  if (digits.length > 15 && BigInt(digits) > maxNumber) return -1;
  return Number(digits);
}

function trim(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
