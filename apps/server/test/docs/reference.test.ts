/** Checks that the reference documentation is complete and matches the server. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { references, Registry, type PackageReference } from '@sluice/registry';
import { Reference, type OptionReference } from '@sluice/registry/reference';
import { freePort, geoDatabase, wafEngine } from '@sluice/testing';
import { check } from '../../src/cli/commands/validate.ts';
import { registerStandard } from '../../src/register-standard.ts';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

const registry = new Registry();
registerStandard(registry);
await registry.loadAll();
const reference = new Reference(registry);
const said: readonly PackageReference[] = await Promise.all(
  [...registry.contributions(references).values()].map(async ({ load }) => (await load()).reference),
);
const examples: Readonly<Record<string, JsonObject>> = Object.assign({}, ...said.map((each) => each.examples));
const sources: NonNullable<PackageReference['sources']> = Object.assign({}, ...said.map((each) => each.sources));

/** Environment variables that examples require but this process does not have. */
const secrets = [
  ...new Set(
    JSON.stringify(examples)
      .matchAll(/\{env\.([A-Z0-9_]+)\}/g)
      .map(([, name = '']) => name),
  ),
].filter((name) => process.env[name] === undefined);

/** Programs that examples start and that are built separately. */
const programs: Readonly<Record<string, string | null>> = { 'http.handlers.waf': wafEngine() };

interface Told {
  readonly source: string;
  readonly type: string;
  readonly data: object;
}

/** Receives the events of a server until it stops. */
function followEvents(port: number): { open: Promise<void>; ended: Promise<Told[]> } {
  const { promise: open, resolve } = Promise.withResolvers<void>();
  const ended = new Promise<Told[]>((done, fail) => {
    get({ host: '127.0.0.1', port, path: '/events' }, (response) => {
      let text = '';
      resolve();
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', fail);
      response.on('end', () =>
        done([...text.matchAll(/^data: ?(.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Told)),
      );
    }).on('error', fail);
  });
  return { open, ended };
}

/** Adds an `@id` to each object of a document. */
function withIds(node: Json, path = ''): Json {
  if (isArray(node)) return node.map((item, index) => withIds(item, `${path}/${index}`));
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, withIds(value, `${path}/${key}`)] as const);
  return { '@id': path || '/', ...Object.fromEntries(entries) };
}

/** Returns the paths of options that have no description. */
function undescribed(option: OptionReference, path: string): string[] {
  return option.options.flatMap((inner) => {
    const here = `${path}.${inner.name}`;
    return [...(/\w/.test(inner.help) ? [] : [here]), ...undescribed(inner, here)];
  });
}

/** Matches help text that states the default, or that the option has no effect. */
const saysWithout =
  /\bDefault\b|\bRequired\b|\b0(?: or (?:negative|missing))? = |\bNegative = |\bAccepted but ignored:/;
/** Matches names of numeric options that have a unit, which the help text must state. Durations include their unit in the value. */
const measured = /size|bytes|buffers|rate|length|_mb|interval|timeout|days|lifetime|ttl|chunk/;
const unit = /\b(?:bytes|KiB|MiB|nanoseconds|milliseconds|seconds|days)\b/i;

/** Returns the facts missing from the help text of numbers and durations, by option path. */
function leftOpen(option: OptionReference, path: string): string[] {
  return option.options.flatMap((inner) => {
    const here = `${path}.${inner.name}`;
    const isNumber = /^(?:integer|number|string or number\b.*)$/.test(inner.type);
    const isCounted = isNumber || inner.type === 'duration';
    const defaults = inner.default !== undefined || saysWithout.test(inner.help);
    const measures =
      inner.type === 'integer' && measured.test(inner.name) && !inner.help.includes('Accepted but ignored:');
    return [
      ...(isCounted && inner.options.length === 0 && !defaults ? [`${here}: no default`] : []),
      ...(measures && !unit.test(inner.help) ? [`${here}: no unit`] : []),
      ...leftOpen(inner, here),
    ];
  });
}

describe('reference documentation of modules and options', function () {
  this.timeout(120_000);

  it('every module and option has a description', () => {
    const modules = [...reference.entries.values()];
    expect(modules.length).to.be.greaterThan(140);
    expect(modules.filter(({ help }) => !/\w/.test(help)).map(({ id }) => id)).to.deep.equal([]);
    expect(modules.flatMap(({ id, options }) => undescribed(options, id))).to.deep.equal([]);
  });

  it('the documentation check detects an option without a description', () => {
    const option = { name: 'a', help: '', type: 'string', default: undefined, values: [], modules: null, options: [] };
    expect(undescribed({ ...option, options: [option] }, 'x')).to.deep.equal(['x.a']);
  });

  it('the help of every number and duration states the default and the unit', () => {
    const modules = [...reference.entries.values()];
    expect(modules.flatMap(({ id, options }) => leftOpen(options, id))).to.deep.equal([]);
  });

  for (const [name, type, help, fault] of [
    ['max_size', 'integer', 'Maximum to read. 0 = no limit.', 'no unit'],
    ['max_size', 'integer', 'Most bytes that are read.', 'no default'],
    ['timeout', 'duration', 'Longest time for a response.', 'no default'],
    ['status_code', 'string or number', 'Status to respond with.', 'no default'],
  ] as const)
    it(`the documentation check detects that the help ${JSON.stringify(help)} of type ${type} has ${fault}`, () => {
      const option = { name, help, type, default: undefined, values: [], modules: null, options: [] };
      expect(leftOpen({ ...option, options: [option] }, 'x')).to.deep.equal([`x.${name}: ${fault}`]);
    });

  it('every module has an example', () => {
    expect([...Object.keys(examples), ...Object.keys(sources)].sort()).to.deep.equal(
      [...reference.entries.keys()].sort(),
    );
  });

  describe('reference documentation examples', () => {
    let sandbox: Sandbox;
    let authorities: Server;
    let port = 0;
    before(async () => {
      sandbox = new Sandbox();
      const [certificate, key] = [sandbox.path('files/example.pem'), sandbox.path('files/example.key')];
      await sandbox.write('files/index.html', 'An example.');
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
          ...['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:example.com'],
          ...['-keyout', key, '-out', certificate],
        ],
        { stdio: 'ignore' },
      );
      const [pem, secret] = [readFileSync(certificate, 'utf8'), readFileSync(key, 'utf8')];
      await sandbox.write('files/certificates/example.pem', pem + secret);
      writeFileSync(sandbox.path('files/GeoLite2-Country.mmdb'), geoDatabase('GeoLite2-Country', {}));
      await sandbox.write('files/clients/client.pem', pem);
      await sandbox.write('files/storage/authorities/example.pem', pem);
      await sandbox.write('files/storage/own/example.pem', pem);
      await sandbox.write('files/storage/own/example.key', secret);
      for (const name of secrets) process.env[name] = 'a2V5';
      authorities = createServer((_, response) => response.end(pem));
      await new Promise<void>((resolve) => authorities.listen(0, '127.0.0.1', resolve));
      port = (authorities.address() as { port: number }).port;
    });
    after(async () => {
      for (const name of secrets) Reflect.deleteProperty(process.env, name);
      authorities.close();
      await sandbox.remove();
    });

    for (const [id, example] of Object.entries(examples)) {
      it(`the documented example of ${id} can be loaded`, async function () {
        const program = programs[id];
        if (program === null) this.skip();
        if (program !== undefined) process.env['PATH'] = `${dirname(program)}${delimiter}${process.env['PATH']}`;
        const text = JSON.stringify(example)
          .replaceAll('/tmp/sluice-example', sandbox.path('files'))
          .replaceAll('127.0.0.1:9000/authorities.pem', `127.0.0.1:${port}/authorities.pem`);
        expect(text).to.include(id.slice(id.lastIndexOf('.') + 1));
        const document = JSON.parse(text) as Json;
        await check({ document, sources: null });
        // Every object may contain an `@id`, regardless of its other keys.
        await check({ document: withIds(document), sources: null });
      });
    }
  });

  it('the documentation describes every placeholder exactly once', () => {
    const all = said.flatMap(({ placeholders }) => placeholders ?? []).flatMap(({ names }) => Object.keys(names));
    expect(all.length).to.be.greaterThan(120);
    expect(new Set(all).size).to.equal(all.length);
  });

  it('all metrics and events of the server are declared', async () => {
    const declared = new Map(said.flatMap(({ metrics }) => metrics ?? []).map((metric) => [metric.name, metric]));
    const events = new Map(
      said.flatMap((each) => each.events ?? []).map((event) => [`${event.origin} ${event.name}`, event]),
    );
    const sandbox = new Sandbox();
    try {
      const server = await TestServer.run(sandbox, [
        { match: [{ path: ['/gone'] }], handle: [{ handler: 'error', status_code: 500 }] },
        {
          match: [{ path: ['/hello'] }],
          handle: [
            { handler: 'mirror', upstreams: [] },
            { handler: 'concurrency_limit', max: 9 },
            { handler: 'cache' },
            { handler: 'rate_limit', rate_limits: { z: { key: 'k', window: '1s', max_events: 9 } } },
            { handler: 'static_response', body: 'hello' },
          ],
        },
        {
          handle: [
            {
              handler: 'reverse_proxy',
              upstreams: [{ dial: '127.0.0.1:1' }, { dial: '127.0.0.1:2' }],
              health_checks: { outlier_detection: { consecutive_errors: 1, interval: '10ms' } },
              load_balancing: { max_requests: 9, queue: 9 },
            },
          ],
        },
      ]);
      const seen = followEvents(server.adminPort);
      await seen.open;
      await server.admin('/config/apps/http/metrics', { method: 'POST', body: { per_host: true } });
      const l4 = {
        handler: 'proxy',
        upstreams: [{ dial: [`127.0.0.1:${server.httpPort}`] }],
        health_checks: { active: {} },
      };
      const listen = `127.0.0.1:${await freePort()}`;
      const servers = { s: { listen: [listen], routes: [{ handle: [l4] }] } };
      await server.admin('/config/apps/layer4', { method: 'PUT', body: { servers } });
      await once(connect(Number(listen.split(':')[1])).end(), 'close');
      await server.admin('/config/apps/nothing', { method: 'PUT', body: {} });
      await server.http('/gone');
      await server.http('/hello');
      await server.http('/');
      await sleep(50);
      const { text } = await server.admin('/metrics');
      const shown = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
      expect(shown.length).to.be.greaterThan(20);
      for (const { name, type } of shown) expect(declared.get(name)?.type, name).to.equal(type);
      const missing = [...declared.keys()].filter((name) => !shown.some((each) => each.name === name));
      // Some metrics appear only in special situations: faults, and lines lost by a pino transport. Fleet members and WAFs have additional
      // metrics. waf.test.ts tests the WAF metrics.
      const ofServers = missing.filter((name) => !/^sluice_(?:fleet|waf)_/.test(name));
      expect(ofServers.sort()).to.deep.equal(['sluice_faults_total', 'sluice_log_dropped_lines_total']);
      expect(await server.stop()).to.include({ code: 0 });
      const reported = await seen.ended;
      expect(reported.map(({ type }) => type)).to.include.members(['config_changed', 'config_refused', 'stopping']);
      for (const { source, type, data } of reported) {
        const event = events.get(`${source === 'sluice' ? '' : source} ${type}`);
        expect(Object.keys(event?.data ?? { none: '' }).sort(), type).to.deep.equal(Object.keys(data).sort());
      }
    } finally {
      await sandbox.remove();
    }
  });
});
