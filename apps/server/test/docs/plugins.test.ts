/** Checks the number of Caddyfiles that docs/guide/from-caddy.md claims to compare with plugins. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../../../', import.meta.url);

/** Counts the Caddyfiles in a directory whose names match a pattern. */
const caddyfiles = (directory: string, name: RegExp): number =>
  readdirSync(new URL(directory, root)).filter((file) => file.endsWith('.caddyfile') && name.test(file)).length;

const ofAdapter = 'libs/modules/caddy.adapters/test/fixtures/caddyfile';
const ofLayer4 = readFileSync(new URL('libs/layer4-app/test/caddyfile/recorded.json', root), 'utf8');

const counts: Readonly<Record<string, number>> = {
  'caddy-ratelimit': caddyfiles(ofAdapter, /^rate_limit_/),
  'replace-response': caddyfiles(ofAdapter, /^replace_/),
  'caddy-jwt': caddyfiles(ofAdapter, /^jwt_/),
  'caddy-maxmind-geolocation': caddyfiles(ofAdapter, /^maxmind_/),
  'caddy-l4': (JSON.parse(ofLayer4) as readonly unknown[]).length,
  'caddy-dns': caddyfiles('libs/modules/dns.providers/test/fixtures', /./),
  'caddy-dynamicdns': caddyfiles('libs/dynamic-dns-app/test/fixtures', /./),
};

describe('guide docs/guide/from-caddy.md', () => {
  it('the guide states the number of Caddyfiles compared for each plugin', () => {
    const text = readFileSync(new URL('docs/guide/from-caddy.md', root), 'utf8');
    const rows = [...(text.split('## Plugins')[1] ?? '').matchAll(/^\| ([\w-]+) +\|.*\| (\d+) +\|$/gm)];
    expect(Object.fromEntries(rows.map(([, plugin = '', count]) => [plugin, Number(count)]))).to.deep.equal(counts);
  });
});
