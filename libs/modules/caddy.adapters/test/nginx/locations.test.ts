import { expect } from 'chai';
import fc from 'fast-check';
import { serveNginx } from './serving.ts';

/** A generated nginx location. `inner` contains the nested locations. */
interface Made {
  readonly sign: '=' | '^~' | '' | '~';
  readonly text: string;
  readonly id: number;
  readonly inner: readonly Made[];
}

/** Selects a location as documented by nginx. */
function chosen(locations: readonly Made[], path: string): { id: number; final: boolean } | null {
  const exact = locations.find(({ sign, text }) => sign === '=' && text === path);
  if (exact !== undefined) return { id: exact.id, final: true };
  const beginnings = locations.filter(({ sign, text }) => (sign === '' || sign === '^~') && path.startsWith(text));
  const [longest] = beginnings.sort((a, b) => b.text.length - a.text.length);
  const within = longest === undefined ? null : chosen(longest.inner, path);
  if (within?.final === true) return within;
  if (longest?.sign !== '^~') {
    const matching = locations.find(({ sign, text }) => sign === '~' && new RegExp(text).test(path));
    if (matching !== undefined) return { id: chosen(matching.inner, path)?.id ?? matching.id, final: true };
  }
  if (within !== null) return within;
  return longest === undefined ? null : { id: longest.id, final: false };
}

function written(locations: readonly Made[]): string {
  return locations
    .map(({ sign, text, id, inner }) => `location ${sign} ${text} { ${written(inner)} return 200 "${id}"; }`)
    .join('\n');
}

const segment = fc.constantFrom('a', 'b', 'ab', 'A');
const path = fc.array(segment, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const expression = fc.constantFrom('a$', '^/a', 'b', '/ab/', '^/b/a', 'A');

/** Generates locations of one nesting level. Prefixes are unique, and a nested prefix extends the prefix of its parent. */
function level(depth: number, under: string): fc.Arbitrary<Made[]> {
  const sign = fc.constantFrom<Made['sign']>('=', '^~', '', '', '~', '~');
  const one = fc.record({ sign, tail: path, slash: fc.boolean(), expression }).chain((it) => {
    const text =
      it.sign === '~'
        ? it.expression
        : under + (it.tail === '/' ? '/' : it.tail.slice(under === '' ? 0 : 1)) + (it.slash ? '/' : '');
    const clean = it.sign === '~' ? text : text.replaceAll(/\/+/g, '/');
    const inner =
      depth > 0 && it.sign !== '=' ? level(depth - 1, it.sign === '~' ? '' : clean) : fc.constant<Made[]>([]);
    return inner.map((within): Made => ({ sign: it.sign, text: clean, id: 0, inner: within }));
  });
  return fc.array(one, { maxLength: 4 }).map((made) => {
    const seen = new Set<string>();
    return made.filter(({ sign: kind, text }) => {
      const key = `${kind === '^~' ? '' : kind} ${text}`;
      return kind === '~' || (!seen.has(key) && seen.add(key) !== undefined);
    });
  });
}

function numbered(locations: readonly Made[], next = { id: 1 }): Made[] {
  return locations.map((location) => ({ ...location, id: next.id++, inner: numbered(location.inner, next) }));
}

describe('caddy.adapters.nginx: locations', () => {
  it('nginx and Sluice select the same location for generated locations', async () => {
    await fc.assert(
      fc.asyncProperty(level(2, ''), fc.array(path, { minLength: 1, maxLength: 6 }), async (made, paths) => {
        const locations = numbered(made);
        const server = await serveNginx(`${written(locations)} root /nowhere;`);
        try {
          for (const asked of paths) {
            const { status, text } = await server.request(asked);
            const expected = chosen(locations, asked);
            expect({ asked, text: status === 200 ? text : '' }).to.deep.equal({
              asked,
              text: String(expected?.id ?? ''),
            });
          }
        } finally {
          await server.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('an nginx location protects its path regardless of how the request path is encoded', async () => {
    const server = await serveNginx('location /private/ { return 403; } location / { return 200 "open"; }');
    try {
      const forms = [
        '/private/x',
        '//private/x',
        '/./private/x',
        '/a/../private/x',
        '/a/%2e%2e/private/x',
        '/%70rivate/x',
      ];
      forms.push('/private/x/..', '/private/.', '/private%2fx', '/a/..%2fprivate/x', '/private//', '/../private/x');
      for (const form of forms) expect((await server.request(form)).status, form).to.equal(403);
      for (const form of ['/Private/x', '/private', '/privatex', '/private/../x'])
        expect((await server.request(form)).text, form).to.equal('open');
    } finally {
      await server.close();
    }
  });

  it('an nginx rewrite responds with 400 if a captured value would be decoded twice', async () => {
    const server = await serveNginx(
      'location /move/ { rewrite ^/move/(.*)$ /files/$1 last; } location /files/ { return 200 "files"; } location / { return 200 "other"; }',
    );
    try {
      expect((await server.request('/move/a/b')).text).to.equal('files');
      for (const form of ['/move/%252e%252e/secret', '/move/a%3Fb', '/move/%25'])
        expect((await server.request(form)).status, form).to.equal(400);
    } finally {
      await server.close();
    }
  });

  it('an nginx rewrite cycle ends with an error', async () => {
    const server = await serveNginx('location / { rewrite ^ /again last; }');
    try {
      expect((await server.request('/')).status).to.equal(500);
    } finally {
      await server.close();
    }
  });
});
