import { expect } from 'chai';
import { linesOf, mergeDirectives, type Directive } from '../../src/docker/directive.ts';
import { blocksOf, type LabeledContainer } from '../../src/docker/labels.ts';
import { SiteGenerator, withLabel } from '../../src/docker/sites.ts';

const container = (labels: Readonly<Record<string, string>>, name = 'web', addresses = ['10.0.0.2']) => ({
  id: name,
  name,
  labels,
  addresses,
  data: { Names: [`/${name}`], Labels: labels },
});

const cases: [title: string, labels: Record<string, string>, lines: string[]][] = [
  [
    'a site',
    { caddy: 'a.test', 'caddy.respond': '"Hello World" 200' },
    ['a.test {', '\trespond "Hello World" 200', '}'],
  ],
  [
    'nested directives, in alphabetical order',
    { caddy: 'a.test', 'caddy.b.y': '2', 'caddy.b.x': '1', 'caddy.a': '' },
    ['a.test {', '\ta', '\tb {', '\t\tx 1', '\t\ty 2', '\t}', '}'],
  ],
  [
    'order prefixes and isolation suffixes',
    { caddy: 'a.test', 'caddy.2_b': 'x', 'caddy.10_a': 'y', 'caddy.route_0.c': '', 'caddy.route_1.d': '' },
    ['a.test {', '\tb x', '\ta y', '\troute {', '\t\tc', '\t}', '\troute {', '\t\td', '\t}', '}'],
  ],
  [
    'matchers before other directives',
    { caddy: 'a.test', 'caddy.1_tls': 'internal', 'caddy.@m.path': '/x' },
    ['a.test {', '\t@m {', '\t\tpath /x', '\t}', '\ttls internal', '}'],
  ],
  [
    'global options and snippets before sites',
    { caddy_1: 'a.test', 'caddy_1.import': 's', caddy_2: '(s)', 'caddy_2.encode': 'gzip', 'caddy_3.debug': '' },
    ['{', '\tdebug', '}', '(s) {', '\tencode gzip', '}', 'a.test {', '\timport s', '}'],
  ],
  [
    'upstreams with scheme and port',
    { caddy: 'a.test', 'caddy.reverse_proxy': '{{upstreams https 8443}}' },
    ['a.test {', '\treverse_proxy https://10.0.0.2:8443', '}'],
  ],
  [
    'templates with data of the container',
    { caddy: 'a.test', 'caddy.respond': '"{{index .Names 0}}"', 'caddy.x': '{{""}}' },
    ['a.test {', '\trespond /web', '\tx', '}'],
  ],
  ['escaped dots', { caddy: 'a.test', [String.raw`caddy.b.x\.y`]: '' }, ['a.test {', '\tb {', '\t\tx.y', '\t}', '}']],
  [
    'quotes and line breaks',
    { caddy: 'a.test', 'caddy.0_a': '`{"x":1}`', 'caddy.1_b': '`c\nd` e', 'caddy.2_c': 'a"' },
    ['a.test {', '\ta `{"x":1}`', '\tb `c', 'd` e', '\tc `a"`', '}'],
  ],
  ['nothing for labels of other prefixes', { 'caddyfile.x': '1', 'traefik.enable': 'true', caddy_x: 'no' }, []],
];

/** Returns the Caddyfile that caddy-docker-proxy would generate for all containers. */
function caddyfileOf(containers: readonly LabeledContainer[]): string {
  const blocks: Directive[] = [];
  for (const each of containers) mergeDirectives(blocks, blocksOf(each, 'caddy'));
  return linesOf(blocks)
    .map(({ text }) => `${text}\n`)
    .join('');
}

const sitesOf = (containers: readonly LabeledContainer[]) => new SiteGenerator('caddy').generate(containers);

describe('Docker labels', () => {
  for (const [title, labels, lines] of cases)
    it(`blocksOf converts labels to ${title}`, () => {
      expect(
        caddyfileOf([container(labels)])
          .split('\n')
          .slice(0, -1),
      ).to.deep.equal(lines);
    });

  it('blocksOf puts brackets around the IPv6 address of a container', () => {
    const labels = { caddy: 'a.test', 'caddy.reverse_proxy': '{{upstreams 80}}' };
    expect(caddyfileOf([container(labels, 'web', ['fd00::2'])])).to.include('reverse_proxy [fd00::2]:80');
  });

  it('blocksOf merges upstreams of several containers if their matchers are equal', () => {
    const proxy = (matcher: string) => ({
      caddy: 'a.test',
      'caddy.reverse_proxy': `${matcher} {{upstreams 80}}`.trim(),
    });
    const text = caddyfileOf([
      container(proxy(''), 'one', ['10.0.0.1']),
      container(proxy(''), 'two', ['10.0.0.2']),
      container(proxy('/api'), 'three', ['10.0.0.3']),
    ]);
    expect(text).to.equal('a.test {\n\treverse_proxy /api 10.0.0.3:80\n\treverse_proxy 10.0.0.1:80 10.0.0.2:80\n}\n');
  });

  it('SiteGenerator generates separate sites, each with the snippets of all containers', () => {
    const { sites } = sitesOf([
      container({ caddy_0: '(s)', 'caddy_0.encode': 'gzip', caddy_1: 'b.test', 'caddy_1.import': 's' }, 'one'),
      container({ caddy: 'a.test', 'caddy.import': 's' }, 'two'),
    ]);
    expect(sites.map(({ key, containers }) => [key, containers])).to.deep.equal([
      ['b.test', ['one']],
      ['a.test', ['two']],
    ]);
    expect(sites.every(({ caddyfile }) => caddyfile.startsWith('(s) {\n\tencode gzip\n}\n'))).to.equal(true);
  });

  it('SiteGenerator reports an invalid template with its label, and keeps the sites of other containers', () => {
    const broken = container({ caddy: 'a.test', 'caddy.respond': '{{nope}}' }, 'broken');
    const { sites, problems } = sitesOf([broken, container({ caddy: 'b.test' }, 'good')]);
    expect(sites.map(({ key }) => key)).to.deep.equal(['b.test']);
    expect(problems[0]?.container).to.equal('broken');
    expect(problems[0]?.error).to.match(/^label caddy\.respond: .*"nope" not defined/);
  });

  it('SiteGenerator keeps unchanged sites, and regenerates a site if its addresses or snippets change', () => {
    const labels = (host: string) => ({ caddy: host, 'caddy.reverse_proxy': '{{upstreams}}' });
    const generator = new SiteGenerator('caddy');
    const keep = container(labels('keep.test'), 'keep');
    const first = generator.generate([keep, container(labels('move.test'), 'move', ['10.0.0.3'])]).sites;
    const second = generator.generate([keep, container(labels('move.test'), 'move', ['10.0.0.4'])]).sites;
    expect(second[0]).to.equal(first[0]);
    expect(second[1]?.caddyfile).to.include('10.0.0.4');
    const third = generator.generate([keep, container({ caddy: '(s)', 'caddy.encode': 'gzip' }, 'snippet')]).sites;
    expect(third.map(({ caddyfile }) => caddyfile.startsWith('(s)'))).to.deep.equal([true]);
  });

  it('withLabel adds the responsible label to an error in a generated line', () => {
    const { sites } = sitesOf([container({ caddy: 'a.test', 'caddy.a': '1', 'caddy.b': '2' })]);
    const [site] = sites;
    expect(site && withLabel("Caddyfile:3: unrecognized directive 'b'", site)).to.match(/^label caddy\.b: /);
  });
});
