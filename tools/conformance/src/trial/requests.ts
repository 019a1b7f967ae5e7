/** Generates requests for generated configurations. */
import type { Random } from '../differential/random.ts';
import type { Request } from '../requests/request.ts';
import { Words } from './vocabulary.ts';

export function makeRequest(random: Random): Request {
  const words = new Words(random);
  const fields: [string, string][] = [];
  if (random.chance(0.5)) fields.push(['X-A', random.pick(['1', 'two', ''])]);
  if (random.chance(0.15)) fields.push(['X-A', 'again']);
  if (random.chance(0.2)) fields.push(['Cookie', random.pick(['c=1', 'd=2; c=x', 'c'])]);
  if (random.chance(0.1)) fields.push(['X-B', 'b']);
  const method = random.pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT']);
  return { method, target: words.target(), host: words.host(), fields, body: method === 'POST' ? 'body' : '' };
}
