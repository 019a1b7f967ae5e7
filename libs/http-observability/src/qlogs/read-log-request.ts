/** Parses a client's request to log QUIC connections. */
import { isArray, isObject, messageOf, parseIpRange, SluiceError, type Json, type JsonObject } from '@sluice/base';
import type { LogRequest } from './quic-log-store.ts';

const maxClients = 20;
const defaults = { count: 1, seconds: 60 };
const most = { count: 20, seconds: 600 };
const keys = ['client', 'count', 'seconds'];

/** Parses the body of `POST /qlogs`. An empty body selects the next connection. */
export function readLogRequest(body: Buffer): LogRequest {
  const asked = parse(body);
  for (const key of Object.keys(asked))
    if (!keys.includes(key)) throw wrong(key, `is unknown; supported: ${keys.join(', ')}`);
  return { client: clients(asked['client']), count: whole(asked, 'count'), seconds: whole(asked, 'seconds') };
}

function parse(body: Buffer): JsonObject {
  if (body.length === 0) return {};
  let value: Json;
  try {
    value = JSON.parse(body.toString()) as Json;
  } catch (error) {
    throw wrong('body', `is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(value)) throw wrong('body', 'must be an object');
  return value;
}

function clients(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const list = isArray(value) ? value : [value];
  if (list.length > maxClients) throw wrong('client', `must have at most ${maxClients} values`);
  return list.map((each) => {
    if (typeof each !== 'string') throw wrong('client', 'must be an IP address, a CIDR range, or a list of them');
    try {
      parseIpRange(each);
      return each;
    } catch (error) {
      throw wrong('client', messageOf(error));
    }
  });
}

function whole(asked: JsonObject, key: 'count' | 'seconds'): number {
  const { [key]: value = defaults[key] } = asked;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most[key]) return value;
  throw wrong(key, `must be an integer from 1 to ${most[key]}`);
}

function wrong(key: string, message: string): SluiceError {
  return new SluiceError('ERR_QLOGS', `${key}: ${message}`, { status: 400 });
}
