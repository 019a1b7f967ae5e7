/** Generated requests. */
import type { ExplainRequest } from '@sluice/http-analysis';
import type { Exchange } from '@sluice/http-app';
import type { Random } from '../differential/random.ts';
import { exchangeOf, type CutResponse } from '../exchange.ts';
import { queryNames } from './handlers.ts';
import { hostOf, methodOf, mixedCase, pathOf, values, words } from './vocabulary.ts';

/** A request, as it is explained and as it is served. */
export interface GeneratedRequest {
  readonly question: ExplainRequest;
  /** An exchange as the engine of HTTP/1.1 makes it. */
  exchange(): { readonly exchange: Exchange; readonly response: CutResponse };
}

const client = '127.0.0.1';

/** A request to a configuration with this many hosts. */
export function requestOf(random: Random, hosts: number): GeneratedRequest {
  const host = random.chance(0.05) ? 'elsewhere.example' : hostOf(random.integer(0, hosts));
  const named = `${mixedCase(host, random)}${random.chance(0.2) ? ':8080' : ''}`;
  const method = methodOf(random);
  const query = random.chance(0.4) ? `?${random.pick(queryNames)}=${encodeURIComponent(random.pick(values))}` : '';
  const target = `${pathOf(random)}${query}`;
  const headers: Record<string, string[]> = {};
  for (const name of random.some(words, 2)) headers[name] = [random.pick(values)];
  if (random.chance(0.1)) headers['x-forwarded-for'] = ['192.0.2.5'];
  const body = random.chance(0.2) ? random.pick(['', 'x', 'longer than three']) : undefined;
  if (body !== undefined) headers['content-length'] = [String(body.length)];
  return {
    question: {
      url: `http://${named}${target}`,
      method,
      headers,
      client: `${client}:50000`,
      server: 's',
      protocol: 'HTTP/1.1',
      time: '2026-01-01T00:00:00Z',
      random: 0.5,
      ...(body === undefined ? {} : { body }),
    },
    exchange: () => exchangeOf({ method, target, host: named, headers, body: body ?? '' }),
  };
}
