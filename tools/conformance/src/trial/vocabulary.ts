/** Vocabulary of generated configurations and requests. It is small so that configurations and requests often match. */
import type { Random } from '../differential/random.ts';

const paths = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c.txt',
  '/A',
  '/x%20y',
  '/%C3%A9',
  '/a//b',
  '/ab',
  '/b',
  '/b/a.txt',
  '/.a',
];
const queries = ['', '?q=1', '?q=1&q=2&r=', '?a+b=c%20d', '?r=x%2Fy', '?q'];
const hosts = ['a.test', 'b.test:81', 'A.TEST', 'x.a.test', '127.0.0.1', 'c.test'];
const patterns = [
  '/a',
  '/a*',
  '/a/*',
  '*.txt',
  '/',
  '/*',
  '*',
  '/*/b',
  '/x y',
  '/A*',
  '/b/*',
  '*/a*',
  '/é',
  '/a/b/c.txt',
];

/** Placeholders of all kinds, including some that are never set. */
const placeholders = [
  '{http.request.method}',
  '{http.request.uri}',
  '{http.request.uri.path}',
  '{http.request.uri.path.0}',
  '{http.request.uri.path.file}',
  '{http.request.uri.path.dir}',
  '{http.request.uri.path.file.base}',
  '{http.request.uri.path.file.ext}',
  '{http.request.uri.query}',
  '{http.request.uri.query.q}',
  '{http.request.uri.prefixed_query}',
  '{http.request.orig_uri}',
  '{http.request.orig_uri.path}',
  '{http.request.orig_method}',
  '{http.request.host}',
  '{http.request.hostport}',
  '{http.request.host.labels.1}',
  '{http.request.scheme}',
  '{http.request.proto}',
  '{http.request.header.X-A}',
  '{http.request.cookie.c}',
  '{http.vars.v}',
  '{http.vars.w}',
  '{http.regexp.r.1}',
  '{http.regexp.r.name}',
  '{http.regexp.1}',
  '{m.one}',
  '{m.two}',
  '{http.error.status_code}',
  '{http.nothing}',
];

/** Picks random words. */
export class Words {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  path(): string {
    return this.random.pick(paths);
  }

  target(): string {
    return this.random.pick(paths) + this.random.pick(queries);
  }

  host(): string {
    return this.random.pick(hosts);
  }

  pattern(): string {
    return this.random.pick(patterns);
  }

  placeholder(): string {
    return this.random.pick(placeholders);
  }

  /** Generates plain text, a placeholder, or a combination. */
  text(): string {
    const { random } = this;
    const made = ['one', 'two words', '', this.placeholder(), `<${this.placeholder()}|${this.placeholder()}>`];
    return random.pick(made);
  }
}
