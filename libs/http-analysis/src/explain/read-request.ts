/** Parses a client's description of a request to explain. */
import { isIP } from 'node:net';
import { isObject, kindOf, type Json } from '@sluice/base';
import { requestError } from './request-error.ts';
import type { ExplainRequest } from './types.ts';

type Check = (key: string, value: Json) => void;

const text: Check = (key, value) => {
  if (typeof value !== 'string') throw requestError(key, `expected a string, not ${kindOf(value)}`);
};

const fields: Check = (key, value) => {
  if (!isObject(value)) throw requestError(key, `expected an object of header fields, not ${kindOf(value)}`);
  for (const [name, lines] of Object.entries(value)) {
    const ok = typeof lines === 'string' || (Array.isArray(lines) && lines.every((line) => typeof line === 'string'));
    if (!ok) throw requestError(`${key}.${name}`, 'expected a string or an array of strings');
  }
};

const number: Check = (key, value) => {
  if (typeof value !== 'number') throw requestError(key, `expected a number, not ${kindOf(value)}`);
};

const protocols = ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0'];

const tlsKeys: Readonly<Record<string, Check>> = {
  version: text,
  cipher_suite: text,
  server_name: text,
  protocol: text,
  resumed: boolean,
  handshake_complete: boolean,
  client_certificate: (key, value) => {
    if (value !== null) text(key, value);
  },
};

const responseKeys: Readonly<Record<string, Check>> = {
  upstream: text,
  path: text,
  status: (key, value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 100 || value > 999)
      throw requestError(key, 'expected a status code from 100 to 999');
  },
  headers: fields,
  body: text,
  error: (key, value) => {
    if (!['refused', 'reset', 'timeout'].includes(value as string))
      throw requestError(key, 'expected "refused", "reset" or "timeout"');
  },
};

const keys: Readonly<Record<string, Check>> = {
  url: text,
  method: text,
  headers: fields,
  body: (key, value) => {
    if (typeof value === 'string') return;
    if (!isObject(value) || typeof value['base64'] !== 'string')
      throw requestError(key, 'expected a string or {"base64": "…"}');
  },
  protocol: (key, value) => {
    if (!protocols.includes(value as string)) throw requestError(key, `expected one of ${protocols.join(', ')}`);
  },
  client: (key, value) => {
    text(key, value);
    const address = String(value).replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
    if (isIP(address) === 0 && isIP(address.replace(/:\d+$/, '')) === 0)
      throw requestError(key, `${JSON.stringify(value)} is not an IP address with an optional port`);
  },
  tls: (key, value) => {
    if (typeof value !== 'boolean') object(key, value, tlsKeys);
  },
  server: text,
  port: (key, value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65_535)
      throw requestError(key, 'expected a port from 1 to 65535');
  },
  time: text,
  random: (key, value) => {
    number(key, value);
    if ((value as number) < 0 || (value as number) >= 1)
      throw requestError(key, 'expected a number of at least 0 and less than 1');
  },
  responses: (key, value) => {
    if (!Array.isArray(value)) throw requestError(key, `expected an array, not ${kindOf(value)}`);
    for (const [index, each] of value.entries()) object(`${key}[${index}]`, each as Json, responseKeys);
  },
};

function boolean(key: string, value: Json): void {
  if (typeof value !== 'boolean') throw requestError(key, `expected true or false, not ${kindOf(value)}`);
}

function object(key: string, value: Json, known: Readonly<Record<string, Check>>): void {
  if (!isObject(value)) throw requestError(key, `expected an object, not ${kindOf(value)}`);
  for (const [name, each] of Object.entries(value)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined)
      throw requestError(`${key}.${name}`, `is unknown; supported: ${Object.keys(known).join(', ')}`);
    check(`${key}.${name}`, each);
  }
}

/** Validates a request to explain. Throws `ERR_EXPLAIN_REQUEST` with the name of the invalid key. */
export function readRequest(value: Json): ExplainRequest {
  object('request', value, keys);
  const request = value as unknown;
  if (!isRequest(request)) throw requestError('request.url', 'is missing');
  return request;
}

function isRequest(value: unknown): value is ExplainRequest {
  return typeof value === 'object' && value !== null && 'url' in value;
}
