/** Determines where a response ends (RFC 9112 §6.3) and whether the connection persists (§9.3). */
import type { HeaderMap } from './header-map.ts';
import { isSameToken, listedTokens } from '@sluice/base';
import type { ResponseParser } from './response-parser.ts';

export interface Framing {
  readonly chunked: boolean;
  /** Body length in bytes; -1 if another mechanism delimits the body. */
  readonly length: number;
}

const chunks: Framing = { chunked: true, length: -1 };
const toClose: Framing = { chunked: false, length: -1 };
const noBody: Framing = { chunked: false, length: 0 };

/** Returns the framing of the parsed response. If the framing is invalid, returns an error message. */
export function framingOf({ status, headers, modern }: ResponseParser, method: string): Framing | string {
  const { names } = headers;
  let length = -1;
  let chunked = false;
  for (let i = 0; i < names.length; i++) {
    if (names[i] === 'content-length') {
      const value = lengthOf(headers.valueAt(i));
      if (value < 0) return 'Content-Length is not a valid number';
      if (length >= 0 && length !== value) return 'conflicting Content-Length fields';
      length = value;
    } else if (names[i] === 'transfer-encoding' && modern) {
      const coding = headers.valueAt(i);
      if (chunked || !isSameToken(coding, 'chunked')) return `unsupported Transfer-Encoding: ${JSON.stringify(coding)}`;
      chunked = true;
    }
  }
  if (method === 'HEAD' || status === 204 || status === 304) return noBody;
  if (chunked) {
    headers.delete('content-length');
    return chunks;
  }
  return length < 0 ? toClose : { chunked: false, length };
}

function lengthOf(value: string): number {
  let length = 0;
  for (let i = 0; i < value.length; i++) {
    const digit = value.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return value === '' || length > Number.MAX_SAFE_INTEGER ? -1 : length;
}

/** Reports whether the upstream keeps the connection open after the response. */
export function persists({ headers, modern }: ResponseParser): boolean {
  const connection = headers.joined('connection');
  if (connection === undefined) return modern;
  if (connection === 'keep-alive') return true;
  let keep = modern;
  for (const option of listedTokens(connection)) {
    if (option === 'close') return false;
    if (option === 'keep-alive') keep = true;
  }
  return keep;
}

/** Last `Keep-Alive` value and its parsed timeout. Cached, because an upstream repeats the value in each response. */
let lastKeepAlive = '';
let lastTimeout = 0;

/** Returns the upstream's idle timeout in milliseconds (`Keep-Alive: timeout=5`). Returns 0 if it is not specified. */
export function keepAliveTimeout(headers: HeaderMap): number {
  const value = headers.get('keep-alive');
  if (value === undefined) return 0;
  if (value === lastKeepAlive) return lastTimeout;
  const seconds = /(?:^|[\s,;])timeout=(\d{1,6})/i.exec(value)?.[1];
  lastKeepAlive = value;
  lastTimeout = seconds === undefined ? 0 : Math.max(1, Number(seconds) * 1000);
  return lastTimeout;
}
