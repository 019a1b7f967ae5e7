import { expect } from 'chai';
import fc from 'fast-check';
import { Guard, openAccess, parseAdminAddress } from '@sluice/admin-api';

const runs = 10_000;
const port = 2019;
const own = ['127.0.0.1:2019', 'localhost:2019', '[::1]:2019'];
const foreign = ['evil.example', 'evil.example:2019', '10.0.0.1:2019', '127.0.0.2:2019', 'localhost.evil.example:2019'];

const hosts = fc.oneof(
  fc.constantFrom(...own, ...foreign, 'good.example', 'app.good.example'),
  fc.constantFrom(
    'localhost',
    '127.0.0.1',
    '[::1]',
    '127.1:2019',
    '2130706433:2019',
    '0x7f.1:2019',
    '[::ffff:7f00:1]:2019',
  ),
  fc.constantFrom(
    'localhost.:2019',
    'localhost:02019',
    'localhost:2019:80',
    'localhost:80',
    'LOCALHOST:2019',
    ':2019',
    '',
  ),
);
/** Characters around a host name that could disguise another host. */
const noise = fc.constantFrom(
  ...['', '', '', '', '@', 'user@', ':@', '\\', '\\@', '/', '#', '?', '%40', '%2F', '%00', ' ', '\t'],
);
const prefix = fc.constantFrom(
  'http://',
  'https://',
  'HTTP://',
  '//',
  'http:',
  'http:/',
  'http:///',
  'app://',
  'null',
  '',
  ' http://',
);
const odd = fc
  .tuple(prefix, noise, hosts, noise, hosts, noise)
  .map(([scheme, a, one, b, two, c]) => `${scheme}${a}${one}${b}${b === '' ? '' : two}${c}`);
const source = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('http://', 'https://', '//'), hosts).map((parts) => parts.join('')),
  },
  { weight: 3, arbitrary: odd },
);

/** Returns the host that a browser would connect to, without the default port, or `null` if there is none. */
function hostOf(text: string): string | null {
  const url = URL.canParse(text)
    ? new URL(text)
    : text.startsWith('//') && URL.canParse(`http:${text}`)
      ? new URL(`http:${text}`)
      : null;
  return url === null || url.host === '' ? null : url.host;
}

describe('admin-api.endpoint.guard with malicious origins', () => {
  const at = (origins: readonly string[] | null, enforceOrigin: boolean): Guard => {
    const settings = {
      enforceOrigin,
      origins,
      anyHost: false,
      externalReads: 'unrestricted' as const,
      ui: true,
      access: openAccess,
    };
    return new Guard(settings, parseAdminAddress('localhost:2019'), port);
  };
  const guards = [
    { guard: at(null, false), allowed: own },
    { guard: at(null, true), allowed: own },
    { guard: at(['http://good.example', 'localhost:2019'], true), allowed: ['good.example', 'localhost:2019'] },
  ];

  it(`the origin guard is not bypassed by any combination of Origin and Referer in ${runs}`, () => {
    const counts = { let: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...guards),
        fc.option(source, { nil: undefined }),
        fc.option(source, { nil: undefined }),
        fc.constantFrom(undefined, 'cors', 'navigate', 'same-origin', ''),
        ({ guard, allowed }, origin, referer, fetchMode) => {
          const verdict = guard.check({ host: allowed[0] as string, origin, referer, fetchMode });
          counts[verdict.status === 0 ? 'let' : 'refused']++;
          if (verdict.status !== 0 || verdict.allowOrigin === null) return;
          const from = origin === undefined || origin === '' ? (referer ?? '') : origin;
          expect(allowed).to.include(hostOf(from)?.toLowerCase());
          // CORS headers must allow only the page that sent the request.
          expect(allowed).to.include(hostOf(verdict.allowOrigin)?.toLowerCase());
        },
      ),
      { numRuns: runs },
    );
    expect(counts.let).to.be.greaterThan(300);
    expect(counts.refused).to.be.greaterThan(3000);
  });

  it(`no disallowed host bypasses the origin guard in ${runs}`, () => {
    const known = new Set(own);
    let let_ = 0;
    fc.assert(
      fc.property(fc.tuple(noise, hosts, noise), ([a, host, b]) => {
        const text = `${a}${host}${b}`;
        const { status } = at(null, false).check({
          host: text,
          origin: undefined,
          referer: undefined,
          fetchMode: undefined,
        });
        if (status === 0) let_++;
        expect(status === 0).to.equal(known.has(text.toLowerCase()));
      }),
      { numRuns: runs },
    );
    expect(let_).to.be.greaterThan(20);
  });
});
