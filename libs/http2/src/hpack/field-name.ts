/** Classifies field names by their role in HTTP/2. Classification runs once per table entry, not once per request. */
import { isIrregular } from '@sluice/http1';

/** Role of a field in HTTP/2. */
export const fieldKind = {
  plain: 0,
  /** Name that contains `_` or `.`. Such names are ambiguous for CGI-like upstreams. */
  irregular: 1,
  /** `cookie`, which may be split into several fields (RFC 9113 §8.2.3). */
  cookie: 2,
  host: 3,
  contentLength: 4,
  /** `te`, whose only allowed value is `trailers` (RFC 9113 §8.2.2). */
  te: 5,
  priority: 6,
  method: 7,
  scheme: 8,
  path: 9,
  authority: 10,
  protocol: 11,
  status: 12,
  /** Field that is not allowed in HTTP/2, or that has an invalid name or value (RFC 9113 §8.2). */
  malformed: 13,
} as const;

export interface FieldName {
  readonly name: string;
  /** Kind of the field; see {@link fieldKind}. */
  readonly kind: number;
}

const special: readonly (readonly [name: string, kind: number])[] = [
  [':method', fieldKind.method],
  [':scheme', fieldKind.scheme],
  [':path', fieldKind.path],
  [':authority', fieldKind.authority],
  [':protocol', fieldKind.protocol],
  [':status', fieldKind.status],
  ['cookie', fieldKind.cookie],
  ['host', fieldKind.host],
  ['content-length', fieldKind.contentLength],
  ['te', fieldKind.te],
  ['priority', fieldKind.priority],
  ['connection', fieldKind.malformed],
  ['keep-alive', fieldKind.malformed],
  ['proxy-connection', fieldKind.malformed],
  ['transfer-encoding', fieldKind.malformed],
  ['upgrade', fieldKind.malformed],
];

const known = new Map(special.map(([name, kind]): [string, FieldName] => [name, { name, kind }]));

/** Bytes allowed in a lowercase token (RFC 9110 §5.6.2, RFC 9113 §8.2.1). */
const nameBytes = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz") nameBytes[character.charCodeAt(0)] = 1;

/** Classifies a name. */
export function fieldName(name: string): FieldName {
  return known.get(name) ?? { name, kind: kindOf(name) };
}

function kindOf(name: string): number {
  if (name === '') return fieldKind.malformed;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 255 || nameBytes[code] === 0) return fieldKind.malformed;
  }
  return isIrregular(name) ? fieldKind.irregular : fieldKind.plain;
}

/** Reports whether a Latin-1 value contains only allowed bytes and no surrounding whitespace (RFC 9113 §8.2.1). */
export function isFieldValue(value: string): boolean {
  const { length } = value;
  if (length === 0) return true;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    if ((code < 0x20 && code !== tab) || code === 0x7f) return false;
  }
  return !isSpace(value.charCodeAt(0)) && !isSpace(value.charCodeAt(length - 1));
}

const tab = 0x09;

function isSpace(code: number): boolean {
  return code === 0x20 || code === tab;
}
