/**
 * Formats the status line and fields of a response, with canonical names and safe values. Extracts framing fields. Servers repeatedly send
 * the same few sets of fields, so formatted heads are cached. A cached head can be reused after comparing the values.
 */
import { isSameToken, lowerAscii, trimBlanks } from '@sluice/base';
import type { HeaderMap } from './header-map.ts';
import { RememberedFields } from './remembered-fields.ts';
import {
  codingField,
  connectionOption,
  dateField,
  encodingField,
  lengthField,
  plainField,
  responseField,
  safeValue,
  trailerField,
  typeField,
  upgradePrefix,
} from './response-fields.ts';
import { statusLine } from './status-lines.ts';

/** A formatted response head. Excludes parts that are added when the head is sent: `Date`, framing fields and connection options. */
export interface ComposedHead {
  /** Status line and header lines, one character per byte. */
  text: string;
  /** Value of `Content-Length` set by a handler; -1 if not set. */
  declared: number;
  /** True if a handler requested chunked coding. */
  wantsChunks: boolean;
  /** True if a handler requested `Connection: close`. */
  wantsClose: boolean;
  /** Other options of the `Connection` field. */
  connection: string;
  /** True if a handler has set the `Date` field. */
  dated: boolean;
  announced: boolean;
  /** True if neither `Content-Type` nor `Content-Encoding` is set, so the type must be derived from the body. */
  untyped: boolean;
}

const remembered = new RememberedFields<ComposedHead>();
/** Maximum size of a cached head, in characters. */
const maxRemembered = 1024;

/** Formats a response head. The result is shared and must not be modified. */
export function composeHead(status: number, minor: number, headers: HeaderMap): ComposedHead {
  const key = 10 * status + minor;
  const at = remembered.slotOf(headers, key);
  const known = remembered.find(at, key, headers);
  if (known !== null) return known;
  const head = compose(status, minor, headers);
  if (head.text.length <= maxRemembered && remembered.wants(at)) {
    // Flatten the string: V8 represents concatenated strings as ropes, and a flat string is faster to write.
    head.text = Buffer.from(head.text, 'latin1').toString('latin1');
    remembered.keep(at, key, headers, head);
  }
  return head;
}

function compose(status: number, minor: number, headers: HeaderMap): ComposedHead {
  const head: ComposedHead = {
    text: statusLine(status, minor),
    declared: -1,
    wantsChunks: false,
    wantsClose: false,
    connection: '',
    dated: false,
    announced: false,
    untyped: true,
  };
  for (let i = 0; i < headers.size; i++) {
    const name = headers.nameAt(i);
    const field = responseField(name);
    const value = safeValue(headers.valueAt(i));
    if (field.prefix !== '' && (field.kind === plainField || recordFraming(head, status, field.kind, value))) {
      const prefix = status === 101 ? upgradePrefix(name) : field.prefix;
      head.text += `${prefix}${value}\r\n`;
    }
  }
  return head;
}

/** Records a field that affects framing. Returns true if the field is also sent as a normal header line. */
function recordFraming(head: ComposedHead, status: number, kind: number, value: string): boolean {
  switch (kind) {
    case lengthField:
      if (head.declared < 0 && isLength(value)) head.declared = Number(value);
      return false;
    case codingField:
      if (isSameToken(value, 'chunked')) head.wantsChunks = true;
      return false;
    case connectionOption:
      addConnectionOptions(head, value);
      return false;
    case encodingField:
      head.untyped = false;
      return true;
    case typeField:
      head.untyped = false;
      return status !== 304 && value !== '';
    case dateField:
      head.dated = true;
      return true;
    case trailerField:
      head.announced = true;
      return true;
    default:
      return false;
  }
}

function addConnectionOptions(head: ComposedHead, value: string): void {
  for (const part of value.split(',')) {
    const option = trimBlanks(part);
    const lower = lowerAscii(option);
    if (lower === 'close') head.wantsClose = true;
    else if (lower !== 'keep-alive' && option !== '')
      head.connection += `${head.connection === '' ? '' : ', '}${option}`;
  }
}

/** Returns the first numeric `Content-Length` set by handlers. Returns -1 if there is none. */
export function declaredLength(headers: HeaderMap): number {
  for (let i = 0; i < headers.size; i++)
    if (headers.names[i] === 'content-length' && isLength(headers.valueAt(i))) return Number(headers.valueAt(i));
  return -1;
}

function isLength(value: string): boolean {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 0x30 || value.charCodeAt(i) > 0x39) return false;
  return value !== '' && value.length < 16;
}
