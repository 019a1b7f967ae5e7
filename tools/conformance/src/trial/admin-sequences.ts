/** Generates sequences of admin API requests: valid and invalid edits of a small configuration in random order. */
import type { Random } from '../differential/random.ts';
import type { AdminCall } from '../servers/call-admin.ts';

const base = '/config/apps/http/servers';
const places = [
  '/s',
  '/s/routes',
  '/s/routes/0',
  '/s/routes/1',
  '/s/routes/2',
  '/s/routes/9',
  '/s/routes/-1',
  '/s/routes/x',
  '/s/routes/...',
  '/s/routes/0/handle',
  '/s/routes/0/handle/0',
  '/s/routes/0/handle/0/body',
  '/s/routes/0/handle/...',
  '/s/routes/0/match/0/path',
  '/s/routes/0/match/0/path/0',
  '/s/routes/0/terminal',
  '/s/max_header_bytes',
  '/t',
  '/t/routes',
  '/none/routes',
  '/s/none',
  '',
];
const ids = ['/id/first', '/id/first/handle', '/id/first/handle/0/body', '/id/second', '/id/none', '/id/first/...'];

/** Returns a sequence of admin API requests. The first request loads a document. */
export function makeSequence(random: Random, ports: readonly [number, number]): AdminCall[] {
  const calls: AdminCall[] = [call('POST', '/load', documentOf(random, ports))];
  for (let left = random.integer(3, 9); left > 0; left--) calls.push(makeCall(random, ports));
  calls.push(call('GET', '/config/apps', undefined));
  return calls;
}

function makeCall(random: Random, ports: readonly [number, number]): AdminCall {
  const method = random.pick(['GET', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'PATCH', 'DELETE']);
  const isId = random.chance(0.25);
  const place = random.pick(isId ? ids : places);
  const path = `${isId ? '' : base}${place}${random.chance(0.05) ? '/' : ''}`;
  if (method === 'GET' || method === 'DELETE') return call(method, path, undefined);
  if (random.chance(0.05)) return { method, path, body: random.pick(['{"a":', 'nonsense', '{}{}', '[1,']) };
  return call(method, path, fitting(random, path, ports));
}

/** Returns a value that is usually valid at the given configuration path. */
function fitting(random: Random, path: string, ports: readonly [number, number]): unknown {
  if (random.chance(0.15)) return random.pick<unknown>([null, 7, 'text', [], {}, true, { nope: 1 }]);
  if (/\/routes\/?$/.test(path)) return random.chance(0.5) ? routeOf(random) : [routeOf(random), routeOf(random)];
  if (/\/routes\/\.\.\.\/?$/.test(path)) return [routeOf(random), routeOf(random)];
  if (/\/routes\/[^/]*\/?$|\/id\/(?:first|second|none)\/?$/.test(path)) return routeOf(random);
  if (/\/handle\/?$/.test(path)) return random.chance(0.5) ? handlerOf(random) : [handlerOf(random)];
  if (/\/handle\/\.\.\.|\/first\/\.\.\./.test(path)) return [handlerOf(random)];
  if (/\/handle\/0\/?$/.test(path)) return handlerOf(random);
  if (/\/path\/?$/.test(path)) return random.pick<unknown>(['/x', ['/y', '/z']]);
  if (/\/body|\/path\/0/.test(path)) return '/text';
  if (/terminal/.test(path)) return true;
  if (/max_header/.test(path)) return random.integer(1000, 9000);
  if (/servers\/?$/.test(path)) return { s: serverOf(random, ports[0]) };
  return /\/t\/?$/.test(path) ? serverOf(random, ports[1]) : serverOf(random, ports[0]);
}

function documentOf(random: Random, [port, other]: readonly [number, number]): object {
  const servers = { s: serverOf(random, port), ...(random.chance(0.3) ? { t: serverOf(random, other) } : {}) };
  return { apps: { http: { servers } } };
}

function serverOf(random: Random, port: number): object {
  const routes = Array.from({ length: random.integer(0, 3) }, () => routeOf(random));
  return { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes };
}

function routeOf(random: Random): object {
  return {
    ...(random.chance(0.3) ? { '@id': random.pick(['first', 'second']) } : {}),
    ...(random.chance(0.5) ? { match: [{ path: [random.pick(['/a', '/b/*'])] }] } : {}),
    handle: [handlerOf(random)],
  };
}

function handlerOf(random: Random): object {
  return random.chance(0.9)
    ? { handler: 'static_response', body: random.pick(['one', 'two', '']) }
    : random.pick([{ handler: 'vars', a: 1 }, { handler: 'none' }, { body: 'x' }]);
}

function call(method: string, path: string, value: unknown): AdminCall {
  return { method, path, body: value === undefined ? '' : JSON.stringify(value), accept: '*/*' };
}
