/**
 * Scenario for `http.handlers.file_server`: paths, conditional requests, ranges, precompressed files, hidden files, canonical redirects,
 * and listings.
 */
import type { Random } from '../../differential/random.ts';
import { echo } from '../echo.ts';
import type { Request } from '../request.ts';
import type { Scenario } from '../scenario.ts';
import { acceptEncoding } from './encode.ts';

function fileServer(random: Random, root: string): object {
  const made: Record<string, unknown> = { handler: 'file_server', root };
  if (random.chance(0.35))
    made['browse'] = random.pick<object>([
      {},
      { reveal_symlinks: true },
      { sort: ['size', 'desc'] },
      { sort: ['time'] },
      { file_limit: 3 },
    ]);
  if (random.chance(0.3))
    made['hide'] = random.some(
      [
        '*.key',
        '.*',
        'plain',
        `${root}/index`,
        `${root}/plain/*.txt`,
        'index.html',
        '*',
        'b.txt',
        '{http.request.header.X-Hide}',
        '*.gz',
      ],
      3,
    );
  if (random.chance(0.3))
    made['index_names'] = random.pick([
      [],
      ['index.txt'],
      ['other.txt', 'index.html'],
      ['sub/deep.txt'],
      ['{http.request.uri.query.index}'],
    ]);
  if (random.chance(0.25)) made['canonical_uris'] = random.chance(0.3);
  if (random.chance(0.2)) made['pass_thru'] = true;
  if (random.chance(0.1)) made['status_code'] = random.pick(['404', 203, '{http.request.uri.query.status}']);
  if (random.chance(0.4)) {
    made['precompressed'] = random.pick([{ gzip: {} }, { zstd: {}, gzip: {} }, { br: {}, gzip: {} }]);
    if (random.chance(0.5))
      made['precompressed_order'] = random.pick([['gzip', 'zstd'], ['zstd'], ['br', 'zstd', 'gzip']]);
  }
  if (random.chance(0.15)) made['etag_file_extensions'] = ['.md5'];
  return made;
}

const rewrites: readonly object[] = [
  { strip_path_prefix: '/p' },
  { uri: '/index' },
  { uri: '{http.request.uri.path}/' },
  { uri: '/plain/{http.request.uri.path.file}' },
];

const names = [
  'a.txt',
  'empty.txt',
  'big.txt',
  'big.txt',
  'no-extension',
  'page.html',
  'UPPER.HTML',
  'sp%20ace.txt',
  'per%25cent.txt',
  'q%3Fmark.txt',
  'hash%23.txt',
  'uml%C3%A4ut.txt',
  'uml\xc3\xa4ut.txt',
  'back%5Cslash.txt',
  'col:on.txt',
  '%3Ctag%3E&amp;.txt',
  '.hidden',
  'secret.key',
  'g.js',
  'g.js',
  'only.js',
  'only.js.gz',
  'z.css',
  'link.txt',
  'loop',
  'none.txt',
  'g.js.md5',
];
const folders = ['', 'index', 'text-index', 'plain', 'plain', 'plain/sub', 'nothing', 'link', 'none', 'z.css.zst'];
const odd = [
  '/a.txt/',
  '/a.txt/b',
  '/plain/../a.txt',
  '/plain/..%2fa.txt',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/a.txt',
  '//a.txt',
  '//plain',
  '/plain//b.txt',
  '/plain/./b.txt',
  '/a.txt%00',
  `/${'n'.repeat(300)}`,
  '/plain%2Fb.txt',
  '/index/.',
  '/index/..',
  '/index//',
  '/plain/broken',
  '/A.TXT',
  '/a.txt.',
  '/.',
  '/..',
  '/p/a.txt',
  '/p/plain',
  '/p/plain/',
];

function target(random: Random): string {
  if (random.chance(0.2)) return random.pick(odd);
  if (random.chance(0.45)) return `/${random.pick(folders)}${random.pick(['', '/', '/'])}`;
  return `/${random.pick(names)}`;
}

const queries = [
  '',
  '',
  '',
  '',
  '?x=1',
  '?sort=size',
  '?sort=time&order=desc',
  '?sort=name&order=desc',
  '?limit=2',
  '?limit=2&offset=1',
  '?offset=100',
  '?limit=-1',
  '?limit=x',
  '?sort=nope',
  '?order=desc',
  '?status=299',
  '?index=b.txt',
  '?layout=grid',
];

const ranges = [
  'bytes=0-4',
  'bytes=5-',
  'bytes=-3',
  'bytes=0-0,2-3',
  'bytes=0-',
  'bytes=20-30',
  'bytes=9-5',
  'bytes=a-b',
  'bytes=',
  'items=0-1',
  'bytes=0-1, 4-5 ,8-',
  'bytes=-0',
  'bytes=-99999',
  'bytes=0-99999',
  'bytes=99999-',
  'bytes=1-2,99999-',
  'bytes= 1-2',
  'bytes=1 -2',
  'Bytes=0-1',
  'bytes=0-1,',
  'bytes=,0-1',
  'bytes=0-9999,0-9999',
  'bytes=10-19,0-9,30-39',
  'bytes=00-01',
  'bytes=+1-2',
  'bytes=0-18446744073709551616',
  'bytes=--1',
  'bytes=-',
  'bytes 0-1',
];
const dates = [
  'Sun, 13 Sep 2020 12:26:40 GMT',
  'Sat, 19 Sep 2020 01:02:03 GMT',
  'Fri, 01 Jan 2021 00:00:00 GMT',
  'Sunday, 13-Sep-20 12:26:40 GMT',
  'Sun Sep 13 12:26:40 2020',
  'nonsense',
  '',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Sun, 13 Sep 2020 12:26:40 +0000',
  'Sat, 01 Jan 2050 00:00:00 GMT',
];
const tags = [
  '"x"',
  '*',
  'W/"x"',
  '"x", *',
  '',
  'x',
  '"from-a-file"',
  'W/"from-a-file"',
  '"a","from-a-file"',
  '"unclosed',
  ',',
  '"x"y, "from-a-file"',
];

function fields(random: Random): Request['fields'] {
  const made: (readonly [string, string])[] = [];
  if (random.chance(0.3)) made.push(['Range', random.pick(ranges)]);
  if (random.chance(0.12)) made.push(['If-Range', random.pick([...tags, ...dates])]);
  if (random.chance(0.12)) made.push(['If-None-Match', random.pick(tags)]);
  if (random.chance(0.12)) made.push(['If-Match', random.pick(tags)]);
  if (random.chance(0.15)) made.push(['If-Modified-Since', random.pick(dates)]);
  if (random.chance(0.12)) made.push(['If-Unmodified-Since', random.pick(dates)]);
  if (random.chance(0.4)) made.push(['Accept-Encoding', acceptEncoding(random)]);
  made.push([
    'Accept',
    random.pick(['application/json', 'text/plain', 'application/json', 'text/html;q=0.1, APPLICATION/JSON']),
  ]);
  if (random.chance(0.1))
    made.push(['Cookie', random.pick(['sort=size', 'sort=name; order=desc', 'order=desc', 'sort=bad'])]);
  made.push(['X-Hide', random.pick(['b.txt', 'plain', 'none', 'none', 'none'])]);
  return made;
}

/** Requests listings as JSON or text, because the HTML pages differ by design. */
export const fileServerScenario: Scenario = {
  name: 'file-server',
  variants: 40,
  routes: (random, folder) =>
    Array.from({ length: 40 }, () => [
      ...(random.chance(0.2) ? [{ handler: 'rewrite', ...random.pick(rewrites) }] : []),
      fileServer(random, folder),
      echo(),
    ]),
  request: (random): Request => ({
    method: random.pick(['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'HEAD', 'POST', 'OPTIONS', 'PUT']),
    target: target(random) + random.pick(queries),
    host: 'test.example',
    fields: fields(random),
    body: '',
  }),
};
