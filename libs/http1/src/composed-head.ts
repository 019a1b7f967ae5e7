/**
 * Status line and fields of a response, composed: names in canonical form, values made safe, and what the fields say about
 * framing taken out. Servers give the same few sets of fields over and over; those are remembered, and then a head costs
 * the comparison of its values.
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

/** A head without what is known only when it is sent: Date, framing, connection options. */
export interface ComposedHead {
  /** Lines, one character per byte. */
  text: string;
  /** Content-Length as set by a handler; -1 for none. */
  declared: number;
  /** A handler wants the chunked coding. */
  wantsChunks: boolean;
  /** A handler wants the connection closed. */
  wantsClose: boolean;
  /** Other connection options. */
  connection: string;
  /** Whether a handler has set these fields. */
  dated: boolean;
  announced: boolean;
  /** Neither type nor coding of the content are set: they are to be found by the body. */
  untyped: boolean;
}

const remembered = new RememberedFields<ComposedHead>();
/** Longer heads are not worth remembering. */
const maxRemembered = 1024;

/** Composes a head; what it returns is shared. */
export function composeHead(status: number, minor: number, headers: HeaderMap): ComposedHead {
  const key = 10 * status + minor;
  const at = remembered.slotOf(headers, key);
  const known = remembered.find(at, key, headers);
  if (known !== null) return known;
  const head = compose(status, minor, headers.names, headers.values);
  if (head.text.length <= maxRemembered && remembered.wants(at)) {
    // Texts that were put together are trees; a flat one is cheaper to send.
    head.text = Buffer.from(head.text, 'latin1').toString('latin1');
    remembered.keep(at, key, headers, head);
  }
  return head;
}

function compose(status: number, minor: number, names: readonly string[], values: readonly string[]): ComposedHead {
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
  for (let i = 0; i < names.length; i++) {
    const field = responseField(names[i] as string);
    const value = safeValue(values[i] as string);
    if (field.prefix !== '' && (field.kind === plainField || takesNotice(head, status, field.kind, value))) {
      const prefix = status === 101 ? upgradePrefix(names[i] as string) : field.prefix;
      head.text += `${prefix}${value}\r\n`;
    }
  }
  return head;
}

/** Takes notice of a field that frames the message. Returns whether it goes out with the others. */
function takesNotice(head: ComposedHead, status: number, kind: number, value: string): boolean {
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

/** Content-Length as handlers have set it: the first that is a number; -1 if there is none. */
export function declaredLength({ names, values }: HeaderMap): number {
  for (let i = 0; i < names.length; i++)
    if (names[i] === 'content-length' && isLength(values[i] as string)) return Number(values[i]);
  return -1;
}

function isLength(value: string): boolean {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 0x30 || value.charCodeAt(i) > 0x39) return false;
  return value !== '' && value.length < 16;
}
