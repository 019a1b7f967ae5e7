/** Parses an API client's request to log QUIC connections. */
import { isArray, messageOf, parseIpRange, SluiceError, type Json } from '@sluice/base';
import { integerOption, readOptions } from '../request-options.ts';
import type { LogRequest } from './quic-log-store.ts';

const maxClients = 20;
const bounds = { defaults: { count: 1, seconds: 60 }, max: { count: 20, seconds: 600 } };
const keys = ['client', 'count', 'seconds'];

/** Parses the body of `POST /qlogs`. An empty body requests a log of the next connection. */
export function readLogRequest(body: Buffer): LogRequest {
  const asked = readOptions(body, keys, wrong);
  return {
    client: clients(asked['client']),
    count: integerOption(asked, 'count', bounds, wrong),
    seconds: integerOption(asked, 'seconds', bounds, wrong),
  };
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

function wrong(key: string, message: string): SluiceError {
  return new SluiceError('ERR_QLOGS', `${key}: ${message}`, { status: 400 });
}
