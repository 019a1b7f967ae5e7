/** Formats numbers, strings, bytes and booleans for a verb. Each function returns null if the verb does not support the type. */
import { isFloatKind, isUnsignedKind, type Integer, type NumberKind } from '../values/number.ts';
import { encodeText, runeCount } from '../values/text.ts';
import { formatFloat, type FloatFormat } from './float.ts';
import { backquote, isPrintable, quote, quoteRune } from './quote.ts';
import { pad, withoutZero, type Spec } from './spec.ts';

export function formatBool(value: boolean, verb: string, spec: Spec): string | null {
  return verb === 't' || verb === 'v' ? pad(String(value), spec) : null;
}

export function formatNumber(value: Integer, kind: NumberKind, verb: string, spec: Spec): string | null {
  if (isFloatKind(kind)) return formatFloatVerb(Number(value), kind === 'float32', verb, spec);
  switch (verb) {
    case 'v':
      if (spec.sharpV && isUnsignedKind(kind)) return formatInteger(value, 16, 'v', { ...spec, sharp: true });
      return formatInteger(value, 10, verb, spec);
    case 'd':
      return formatInteger(value, 10, verb, spec);
    case 'b':
      return formatInteger(value, 2, verb, spec);
    case 'o':
    case 'O':
      return formatInteger(value, 8, verb, spec);
    case 'x':
    case 'X':
      return formatInteger(value, 16, verb, spec);
    case 'c':
      return pad(characterOf(value), spec);
    case 'q':
      return pad(quoteRune(Number(value), spec.plus), spec);
    case 'U':
      return formatUnicode(value, spec);
    default:
      return null;
  }
}

function characterOf(value: Integer): string {
  const code = Number(value);
  const valid = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(valid ? code : 0xfffd);
}

function formatInteger(value: Integer, radix: number, verb: string, spec: Spec): string {
  const negative = value < 0;
  let digits = (negative ? -value : value).toString(radix);
  const sign = negative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  const { precision, width } = spec;
  if (precision !== null) {
    if (precision === 0 && digits === '0') return pad('', withoutZero(spec));
    digits = digits.padStart(precision, '0');
  } else if (spec.zero && !spec.minus && width !== null) {
    digits = digits.padStart(width - sign.length, '0');
  }
  digits = prefixFor(digits, radix, verb, spec.sharp) + digits;
  if (verb === 'X') digits = digits.toUpperCase();
  return pad(sign + digits, withoutZero(spec));
}

function prefixFor(digits: string, radix: number, verb: string, sharp: boolean): string {
  const octal = verb === 'O' ? '0o' : '';
  if (!sharp) return octal;
  if (radix === 16) return '0x';
  if (radix === 2) return '0b';
  return radix === 8 && !digits.startsWith('0') ? `${octal}0` : octal;
}

/** Formats a code point as `U+0041`. The `#` flag appends the character itself. */
function formatUnicode(value: Integer, spec: Spec): string {
  const digits = BigInt.asUintN(64, BigInt(value)).toString(16).toUpperCase();
  const code = `U+${digits.padStart(Math.max(spec.precision ?? 4, 4), '0')}`;
  const character = characterOf(value);
  const shown =
    spec.sharp && value >= 0 && value <= 0x10ffff && isPrintable(character) ? `${code} '${character}'` : code;
  return pad(shown, withoutZero(spec));
}

function formatFloatVerb(value: number, single: boolean, verb: string, spec: Spec): string | null {
  switch (verb) {
    case 'v':
      return finishFloat(formatFloat(value, 'g', spec.precision ?? -1, single), 'g', spec.precision ?? -1, spec);
    case 'g':
    case 'G':
    case 'x':
    case 'X':
    case 'b':
      return finishFloat(formatFloat(value, verb, spec.precision ?? -1, single), verb, spec.precision ?? -1, spec);
    case 'e':
    case 'E':
      return finishFloat(formatFloat(value, verb, spec.precision ?? 6, single), verb, spec.precision ?? 6, spec);
    case 'f':
    case 'F':
      return finishFloat(formatFloat(value, 'f', spec.precision ?? 6, single), 'f', spec.precision ?? 6, spec);
    default:
      return null;
  }
}

/** Adds the sign, decimal point and padding to a formatted float. */
function finishFloat(text: string, format: FloatFormat, precision: number, spec: Spec): string {
  const negative = text.startsWith('-');
  let size = negative || text.startsWith('+') ? text.slice(1) : text;
  let sign = negative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  if (size === 'Inf' && sign === '') sign = spec.plus || !negative ? '+' : '';
  if (size === 'Inf' || size === 'NaN') return pad(sign + size, withoutZero(spec));
  if (spec.sharp && format !== 'b') size = withPoint(size, format, precision);
  if (spec.zero && !spec.minus && spec.width !== null) {
    return sign + size.padStart(spec.width - sign.length, '0');
  }
  return pad(sign + size, withoutZero(spec));
}

/** Formats `%#g`, which always has a decimal point, and zeros up to the precision. Like Go, counts the `x` in `0x` as a digit. */
function withPoint(size: string, format: FloatFormat, precision: number): string {
  const hex = format === 'x' || format === 'X';
  const cut = size.search(hex ? /[pP]/ : /[eE]/);
  const mantissa = cut === -1 ? size : size.slice(0, cut);
  const exponent = cut === -1 ? '' : size.slice(cut);
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  if (format !== 'g' && format !== 'G' && format !== 'x') return pointed + exponent;
  const digits = pointed.replace('.', '').replace(/^0+/, '').length;
  const shown = digits === 0 && pointed.startsWith('0') ? 1 : digits;
  return pointed + '0'.repeat(Math.max((precision < 0 ? 6 : precision) - shown, 0)) + exponent;
}

export function formatText(text: string, verb: string, spec: Spec): string | null {
  switch (verb) {
    case 'v':
      return spec.sharpV ? formatQuoted(text, spec) : pad(truncate(text, spec), spec);
    case 's':
      return pad(truncate(text, spec), spec);
    case 'q':
      return formatQuoted(text, spec);
    case 'x':
    case 'X':
      return formatHex(encodeText(text), verb, spec);
    default:
      return null;
  }
}

function truncate(text: string, spec: Spec): string {
  const { precision } = spec;
  if (precision === null || text.length <= precision) return text;
  return runeCount(text) <= precision ? text : [...text].slice(0, precision).join('');
}

function formatQuoted(text: string, spec: Spec): string {
  const shown = truncate(text, spec);
  if (spec.sharp || spec.sharpV) {
    return pad(spec.sharpV ? quote(shown) : backquote(shown, spec.plus), spec);
  }
  return pad(quote(shown, spec.plus), spec);
}

/** Formats bytes in hexadecimal. Depending on the flags, bytes are separated by spaces or prefixed with `0x`. */
export function formatHex(bytes: Uint8Array, verb: string, spec: Spec): string {
  const shown = spec.precision === null ? bytes : bytes.subarray(0, spec.precision);
  if (shown.length === 0) return pad('', spec);
  const prefix = spec.sharp ? '0x' : '';
  const digits = Array.from(shown, (byte) => byte.toString(16).padStart(2, '0'));
  const text = spec.space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join('');
  return pad(verb === 'X' ? text.toUpperCase() : text, spec);
}
