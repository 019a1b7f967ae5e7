import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLogger, type JsonObject } from '@sluice/base';
import { register as handlers } from '@sluice/http.handlers';
import { register } from '@sluice/http.matchers';
import { register as ipSources } from '@sluice/http.ip_sources';
import { asCaddyfile, fromCaddyfile, geoDatabase, serve, withRoutes, type TestServer } from '@sluice/testing';
import { GeoDatabase } from '../../src/maxmind_geolocation/database.ts';

const city = {
  '192.0.2.0/25': { country: { iso_code: 'AT' }, subdivisions: [{ iso_code: '9' }] },
  '192.0.2.128/25': {
    country: { iso_code: 'US' },
    subdivisions: [{ iso_code: 'TX' }, { iso_code: 'X1' }],
    location: { metro_code: 623 },
  },
  '198.51.100.0/24': { country: { iso_code: 'DE' }, location: { metro_code: 0 } },
};
const asn = { '192.0.2.0/24': { autonomous_system_number: 64_496, autonomous_system_organization: 'Example' } };

const addresses = { austria: '192.0.2.1', texas: '192.0.2.200', germany: '198.51.100.7', unknown: '203.0.113.1' };
const all = Object.keys(addresses);

describe('http.matchers.maxmind_geolocation', () => {
  let folder: string;
  let paths: Readonly<Record<'city' | 'asn', string>>;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-geo-'));
    paths = { city: join(folder, 'city.mmdb'), asn: join(folder, 'asn.mmdb') };
    writeFileSync(paths.city, geoDatabase('GeoLite2-City', city));
    writeFileSync(paths.asn, geoDatabase('GeoLite2-ASN', asn));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Serves a route with the geolocation matcher behind a trusted proxy. */
  function served(options: JsonObject): Promise<TestServer> {
    const routes = [
      { match: [{ maxmind_geolocation: options }], handle: [{ handler: 'static_response', body: 'yes' }] },
      { handle: [{ handler: 'static_response', body: 'no' }] },
    ];
    const server = { trusted_proxies: { source: 'static', ranges: ['127.0.0.1/32', '::1/128'] } };
    return serve(withRoutes(routes, server), { register: [register, handlers, ipSources] });
  }

  const cases: readonly (readonly [database: 'city' | 'asn', options: JsonObject, matched: readonly string[]])[] = [
    ['city', {}, all],
    ['city', { allow_countries: ['AT', 'DE'] }, ['austria', 'germany']],
    ['city', { allow_countries: ['at'] }, []],
    ['city', { allow_countries: ['UNK'] }, ['unknown']],
    ['city', { deny_countries: ['AT', 'UNK'] }, ['texas', 'germany']],
    // Denied values take precedence over allowed values.
    ['city', { allow_countries: ['AT'], deny_countries: ['US'] }, ['austria', 'germany', 'unknown']],
    ['city', { allow_subdivisions: ['X1', '9'] }, ['austria', 'texas']],
    ['city', { deny_subdivisions: ['X1'] }, ['austria', 'germany', 'unknown']],
    ['city', { deny_subdivisions: ['UNK'] }, ['austria', 'texas']],
    ['city', { allow_countries: ['US', 'DE'], deny_subdivisions: ['TX'] }, ['germany']],
    ['city', { allow_metro_codes: ['623'] }, ['texas']],
    ['city', { deny_metro_codes: ['UNK'] }, ['texas']],
    ['city', { deny_metro_codes: ['0'] }, all],
    ['asn', { allow_asn: ['64496'] }, ['austria', 'texas']],
    ['asn', { deny_asn: ['64496'] }, ['germany', 'unknown']],
    ['asn', { allow_countries: ['UNK'] }, all],
  ];
  for (const [database, options, matched] of cases)
    it(`maxmind_geolocation ${JSON.stringify(options)} matches ${matched.join(', ') || 'nothing'} with ${database}`, async () => {
      const server = await served({ db_path: paths[database], ...options });
      const found: string[] = [];
      for (const [name, address] of Object.entries(addresses)) {
        const { text } = await server.request({ headers: { 'X-Forwarded-For': address } });
        if (text === 'yes') found.push(name);
      }
      await server.close();
      expect(found).to.deep.equal(matched);
    });

  for (const [options, message] of [
    [{}, 'db_path: requires a database path'],
    [{ db_path: '/nowhere/x.mmdb' }, 'db_path: cannot read the database /nowhere/x.mmdb: '],
  ] as const)
    it(`maxmind_geolocation rejects ${JSON.stringify(options)}`, async () => {
      const error = await served(options).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(message);
    });

  it('maxmind_geolocation rejects a file that is not a database', async () => {
    const path = join(folder, 'text.mmdb');
    writeFileSync(path, 'text');
    const error = await served({ db_path: path }).then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(String(error)).to.contain('cannot read the database');
  });
});

describe('GeoDatabase', () => {
  it('GeoDatabase reloads a changed file, and keeps the previous version if the file is invalid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-geo-'));
    const path = join(folder, 'country.mmdb');
    const write = (content: Buffer, time: number): void => {
      writeFileSync(path, content);
      utimesSync(path, time, time);
    };
    write(geoDatabase('GeoLite2-Country', { '192.0.2.0/24': { country: { iso_code: 'AT' } } }), 1_700_000_000);
    let clock = 1000;
    const database = await GeoDatabase.open(path, silentLogger, () => clock);
    const codeOf = (): unknown =>
      (database.find('192.0.2.1')?.['country'] as { iso_code?: unknown } | undefined)?.iso_code;
    expect(codeOf()).to.equal('AT');
    write(geoDatabase('GeoLite2-Country', { '192.0.2.0/24': { country: { iso_code: 'DE' } } }), 1_700_000_100);
    expect(codeOf()).to.equal('AT');
    for (const expected of ['DE', 'DE']) {
      clock += 10_001;
      codeOf();
      await database.reloaded;
      expect(codeOf()).to.equal(expected);
      write(Buffer.from('broken'), 1_700_000_200);
    }
    rmSync(folder, { recursive: true });
  });
});

describe('maxmind_geolocation matcher in a Caddyfile', () => {
  const unset = Object.fromEntries(
    ['countries', 'subdivisions', 'metro_codes', 'asn'].flatMap((name) => [
      [`allow_${name}`, null],
      [`deny_${name}`, null],
    ]),
  );
  const site = (lines: string): string => `:80 {\n@geo {\n${lines}\n}\nrespond @geo hi\n}\n`;

  for (const [title, lines, options] of [
    [
      'options',
      'maxmind_geolocation {\ndb_path /x.mmdb\nallow_countries IT FR\ndeny_asn 1 UNK\n}',
      { db_path: '/x.mmdb', allow_countries: ['IT', 'FR'], deny_asn: ['1', 'UNK'] },
    ],
    [
      'repeated options',
      'maxmind_geolocation {\ndb_path x\nallow_countries IT\nallow_countries FR\n}\nmaxmind_geolocation {\ndb_path y\ndeny_countries IT\n}',
      { db_path: 'y', allow_countries: ['IT', 'FR'], deny_countries: ['IT'] },
    ],
    ['a matcher without options', 'maxmind_geolocation', { db_path: '' }],
  ] as const)
    it(`the maxmind_geolocation matcher in a Caddyfile is adapted in the same way as by the Caddy plugin: ${title}`, async () => {
      const document = await fromCaddyfile(site(lines));
      const { apps } = document as { apps: { http: { servers: { srv0: { routes: { match: unknown[] }[] } } } } };
      expect(apps.http.servers.srv0.routes[0]?.match).to.deep.equal([
        { maxmind_geolocation: { ...unset, ...options } },
      ]);
      if (options.db_path !== '')
        expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
    });

  for (const [line, word] of [
    ['db_path a b', 'b'],
    ['other', 'other'],
  ] as const)
    it(`the maxmind_geolocation matcher in a Caddyfile rejects the line ${line}`, async () => {
      const error = await fromCaddyfile(site(`maxmind_geolocation {\n${line}\n}`)).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(`unexpected config parameter ${word}`);
    });
});
