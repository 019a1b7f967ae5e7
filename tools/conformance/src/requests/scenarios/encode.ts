/** Scenario for `http.handlers.encode`: selection by Accept-Encoding, and responses that are not encoded. */
import type { Random } from '../../differential/random.ts';
import type { Request } from '../request.ts';
import type { Scenario } from '../scenario.ts';

const codings = ['gzip', 'zstd', 'br', 'identity', '*', 'GZIP', 'deflate', 'x-gzip', 'zs'];
const weights = [
  '',
  '',
  '',
  ';q=0',
  ';q=0.5',
  ';q=1',
  ';q=0.001',
  ' ; q=0.8',
  ';q=2',
  ';q=abc',
  ';Q=0.3',
  ';q=1.0;x=y',
  ';q=',
  ';x=1;q=0.2',
];

/** Generates an Accept-Encoding value, sometimes with an unusual coding. */
export function acceptEncoding(random: Random): string {
  if (random.chance(0.1))
    return random.pick([
      '',
      ',',
      'gzip,,zstd',
      ' gzip',
      'gzip zstd',
      ';q=1',
      'gzip;',
      'gzip;q=0, *',
      '"gzip"',
      '*;q=0',
    ]);
  return Array.from({ length: random.integer(1, 4) }, () => random.pick(codings) + random.pick(weights)).join(
    random.pick([',', ', ']),
  );
}

/** Returns an `encode` handler with encoders that both servers support. Sluice also supports `br`. */
function encode(random: Random): object {
  const some = random.pick([
    { gzip: {} },
    { zstd: {} },
    { gzip: {}, zstd: {} },
    { gzip: { level: 9 }, zstd: { level: 'best' } },
  ]);
  const made: Record<string, unknown> = { handler: 'encode', encodings: some };
  if (random.chance(0.5)) made['prefer'] = random.some(Object.keys(some), 2).toReversed();
  if (random.chance(0.5)) made['minimum_length'] = random.pick([0, 1, 10, 600, 5000]);
  if (random.chance(0.3))
    made['match'] = random.pick<object>([
      { headers: { 'Content-Type': ['text/*'] } },
      { status_code: [2] },
      { status_code: [404], headers: { 'Content-Type': ['*'] } },
      { headers: { 'X-Encode': ['yes'] } },
    ]);
  return made;
}

const types = [
  'text/plain',
  'text/html; charset=utf-8',
  'application/json',
  'image/png',
  'application/octet-stream',
  'image/svg+xml',
  'TEXT/PLAIN',
  'font/ttf',
  'application/javascript',
  ' text/css',
];

function respond(random: Random): object {
  const headers: Record<string, string[]> = {};
  if (random.chance(0.8)) headers['Content-Type'] = [random.pick(types)];
  if (random.chance(0.4)) headers['Etag'] = [random.pick(['"abc"', 'W/"abc"', 'abc', '""', '', '"a"b'])];
  if (random.chance(0.3))
    headers['Vary'] = random.pick([
      ['Origin'],
      ['accept-encoding'],
      ['*'],
      ['A', 'Accept-Encoding, B'],
      ['X-Accept-Encoding'],
    ]);
  if (random.chance(0.2))
    headers['Cache-Control'] = [random.pick(['no-transform', 'max-age=1, No-Transform', 'no-transform=1', 'public'])];
  if (random.chance(0.12)) headers['Content-Encoding'] = [random.pick(['identity', 'gzip', 'x'])];
  if (random.chance(0.2)) headers['Accept-Ranges'] = ['bytes'];
  if (random.chance(0.15)) headers['Content-Range'] = ['bytes 0-1/2'];
  if (random.chance(0.2)) headers['Last-Modified'] = ['Sun, 13 Sep 2020 12:26:40 GMT'];
  if (random.chance(0.2)) headers['X-Encode'] = ['yes'];
  const length = random.pick([0, 1, 10, 11, 511, 512, 513, 600, 601, 3000, 6000]);
  return {
    handler: 'static_response',
    status_code: random.pick([200, 200, 200, 200, 201, 206, 301, 404, 500]),
    headers,
    body: '0123456789abcdef'.repeat(400).slice(0, length),
  };
}

export const encodeScenario: Scenario = {
  name: 'encode',
  routes: (random) => Array.from({ length: 80 }, () => [encode(random), respond(random)]),
  request: (random): Request => ({
    method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
    target: '/',
    host: 'test.example',
    fields: [
      ...(random.chance(0.93) ? [['Accept-Encoding', acceptEncoding(random)] as const] : []),
      ...(random.chance(0.1) ? [['Accept-Encoding', acceptEncoding(random)] as const] : []),
      ...(random.chance(0.2)
        ? [['If-None-Match', random.pick(['"abc"', '"abc-gzip"', 'W/"abc-zstd"', '*'])] as const]
        : []),
      ...(random.chance(0.1) ? [['Range', 'bytes=0-1'] as const] : []),
      ...(random.chance(0.1) ? [['Cache-Control', 'no-transform'] as const] : []),
    ],
    body: '',
  }),
};
