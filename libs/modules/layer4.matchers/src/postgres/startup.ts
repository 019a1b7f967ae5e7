/** Parser for a PostgreSQL client's first message. */

const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;
const gssRequest = 80_877_104;
/** Maximum size of a startup message in bytes, the same as in PostgreSQL. */
const maxSize = 10_000;
const protocol3 = 3;

/** First message of a PostgreSQL client. `other` is a cancellation, or a request for GSSAPI encryption. */
export interface StartupMessage {
  readonly kind: 'ssl' | 'startup' | 'other';
  readonly parameters: ReadonlyMap<string, string>;
}

const none: ReadonlyMap<string, string> = new Map();

/** Parses the first message in `bytes[0..end)`. `incomplete` = more bytes are needed. `foreign` = the client does not use PostgreSQL. */
export function parseStartup(bytes: Buffer, end: number): StartupMessage | 'incomplete' | 'foreign' {
  if (end > 0 && bytes[0] !== 0) return 'foreign';
  if (end < 4) return 'incomplete';
  const size = bytes.readUInt32BE(0);
  if (size < 8 || size > maxSize) return 'foreign';
  if (end < 8) return 'incomplete';
  const code = bytes.readUInt32BE(4);
  if (code === sslRequest && size === 8) return { kind: 'ssl', parameters: none };
  if ((code === gssRequest && size === 8) || (code === cancelRequest && size === 16))
    return { kind: 'other', parameters: none };
  if (code >>> 16 !== protocol3) return 'foreign';
  if (end < size) return 'incomplete';
  const words = bytes.toString('utf8', 8, size).split('\0');
  const parameters = new Map<string, string>();
  for (let i = 0; i + 1 < words.length && words[i] !== ''; i += 2)
    parameters.set(words[i] as string, words[i + 1] as string);
  return { kind: 'startup', parameters };
}
