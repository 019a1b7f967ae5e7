/** Detects the content type of responses without a `Content-Type` field (WHATWG MIME Sniffing §7). */

/** Number of body bytes to examine for content type detection. */
const sniffed = 512;

interface Signature {
  readonly type: string;
  /** Pattern with one character per byte. `?` matches any byte. */
  readonly pattern: string;
}

const signatures: readonly Signature[] = [
  { type: 'application/pdf', pattern: '%PDF-' },
  { type: 'application/postscript', pattern: '%!PS-Adobe-' },
  { type: 'text/plain; charset=utf-16be', pattern: '\xfe\xff' },
  { type: 'text/plain; charset=utf-16le', pattern: '\xff\xfe' },
  { type: 'text/plain; charset=utf-8', pattern: '\xef\xbb\xbf' },
  { type: 'image/x-icon', pattern: '\0\0\x01\0' },
  { type: 'image/x-icon', pattern: '\0\0\x02\0' },
  { type: 'image/bmp', pattern: 'BM' },
  { type: 'image/gif', pattern: 'GIF87a' },
  { type: 'image/gif', pattern: 'GIF89a' },
  { type: 'image/webp', pattern: 'RIFF????WEBPVP' },
  { type: 'image/png', pattern: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', pattern: '\xff\xd8\xff' },
  { type: 'audio/aiff', pattern: 'FORM????AIFF' },
  { type: 'audio/mpeg', pattern: 'ID3' },
  { type: 'application/ogg', pattern: 'OggS\0' },
  { type: 'audio/midi', pattern: 'MThd\0\0\0\x06' },
  { type: 'video/avi', pattern: 'RIFF????AVI ' },
  { type: 'audio/wave', pattern: 'RIFF????WAVE' },
  { type: 'video/mp4', pattern: '????ftypmp4' },
  { type: 'video/webm', pattern: '\x1a\x45\xdf\xa3' },
  { type: 'font/ttf', pattern: '\0\x01\0\0' },
  { type: 'font/otf', pattern: 'OTTO' },
  { type: 'font/collection', pattern: 'ttcf' },
  { type: 'font/woff', pattern: 'wOFF' },
  { type: 'font/woff2', pattern: 'wOF2' },
  { type: 'application/x-gzip', pattern: '\x1f\x8b\x08' },
  { type: 'application/zip', pattern: 'PK\x03\x04' },
  { type: 'application/x-rar-compressed', pattern: 'Rar!\x1a\x07\0' },
  { type: 'application/x-rar-compressed', pattern: 'Rar!\x1a\x07\x01\0' },
  { type: 'application/wasm', pattern: '\0asm' },
];

/** Signatures by first byte, computed on first use. */
const byFirstByte: (readonly Signature[] | undefined)[] = [];

function signaturesOf(byte: number): readonly Signature[] {
  const first = String.fromCharCode(byte);
  return (byFirstByte[byte] ??= signatures.filter(({ pattern }) => pattern[0] === first || pattern[0] === '?'));
}

const elements = 'a|b|body|br|div|font|h1|head|html|iframe|img|p|script|style|table|title';
const html = new RegExp(`^[\\t\\n\\f\\r ]*<(?:!DOCTYPE HTML|${elements})[ >]|^[\\t\\n\\f\\r ]*<!--`, 'i');
const xml = /^[\t\n\f\r ]*<\?xml/;
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

export function sniffContentType(begin: string | Buffer): string {
  const bytes = typeof begin === 'string' ? Buffer.from(begin.slice(0, sniffed)) : begin.subarray(0, sniffed);
  const text = bytes.toString('latin1');
  if (html.test(text)) return 'text/html; charset=utf-8';
  if (xml.test(text)) return 'text/xml; charset=utf-8';
  for (const { type, pattern } of signaturesOf(bytes[0] ?? 0)) if (startsLike(text, pattern)) return type;
  return binary.test(text) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}

function startsLike(text: string, pattern: string): boolean {
  if (text.length < pattern.length) return false;
  for (let i = 0; i < pattern.length; i++) if (pattern[i] !== '?' && pattern[i] !== text[i]) return false;
  return true;
}
