import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { show } from './support.ts';

const seen = show(
  '{http.vars.trace_id} {http.vars.span_id} {http.request.header.Traceparent} {http.request.header.Tracestate}',
);
const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

/** Collects exported data as text. Strings in protocol buffers are readable. */
class Collector {
  readonly #server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      this.text += Buffer.concat(chunks).toString('latin1');
      this.paths.push(incoming.url ?? '');
      this.lengths.push(incoming.headers['content-length'] ?? 'none');
      this.sizes.push(String(Buffer.concat(chunks).length));
      if (this.refusals-- > 0) response.writeHead(503, { 'Retry-After': '1' });
      response.end();
    });
  });

  text = '';
  readonly paths: string[] = [];
  readonly lengths: string[] = [];
  readonly sizes: string[] = [];
  /** Number of requests that the collector has rejected. */
  refusals = 0;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('http.handlers.tracing', () => {
  const before = { ...process.env };
  let collector: Collector;

  beforeEach(async () => {
    collector = new Collector();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = await collector.listen();
  });

  afterEach(async () => {
    process.env = { ...before };
    await collector.close();
  });

  const start = (options: JsonObject, ...handle: JsonObject[]): Promise<TestServer> =>
    serve(withRoutes([{ handle: [{ handler: 'tracing', ...options }, ...handle] }]), { register: [register] });

  it('tracing starts a trace, and exposes its span to subsequent handlers', async () => {
    const server = await start({}, seen);
    const [trace, span, context] = (await server.request()).text.split(' ');
    expect(trace).to.match(/^[0-9a-f]{32}$/);
    expect(context).to.equal(`00-${trace}-${span}-01`);
    await server.close();
  });

  for (const flags of ['00', '01']) {
    it(`tracing continues the trace of the client with its sampling flag ${flags}`, async () => {
      const server = await start({}, seen);
      const headers = { Traceparent: `${parent}-${flags}`, Tracestate: 'a=b' };
      const [trace, span, context, state] = (await server.request({ headers })).text.split(' ');
      expect(trace).to.equal('0af7651916cd43dd8448eb211c80319c');
      expect(span).not.to.equal('b7ad6b7169203331');
      expect(context).to.equal(`00-${trace}-${span}-${flags}`);
      expect(state).to.equal('a=b');
      await server.close();
      expect(collector.text === '').to.equal(flags === '00');
    });
  }

  it('tracing starts a trace if the client header is invalid', async () => {
    const server = await start({}, seen);
    const [trace] = (await server.request({ headers: { Traceparent: 'garbage' } })).text.split(' ');
    expect(trace).to.match(/^[0-9a-f]{32}$/);
    await server.close();
  });

  it('tracing exports spans whose name and attributes are evaluated after the handlers have run', async () => {
    const options = {
      span: '{http.request.method} name',
      span_attributes: { late: 'is {http.vars.late}', none: '{nope}' },
    };
    const server = await start(options, { handler: 'vars', late: 'set' }, show('x'));
    await server.request('/path');
    await server.close();
    expect(collector.paths).to.deep.equal(['/v1/traces']);
    for (const part of ['GET name', 'is set', 'url.path', '/path', 'http.response.status_code', 'sluice'])
      expect(collector.text).to.include(part);
    expect(collector.text).not.to.include('{nope}');
  });

  it('tracing keeps the exporter across configuration changes', async () => {
    const server = await start({ span: 'first' }, show('x'));
    await server.request();
    await server.reconciler.load(withRoutes([{ handle: [{ handler: 'tracing', span: 'second' }, show('y')] }]));
    expect((await server.request()).text).to.equal('y');
    await server.close();
    expect(collector.paths).to.have.length(1);
    expect(collector.text).to.include('first').and.to.include('second');
  });

  it('tracing records errors without changing them', async () => {
    const server = await start({ span: 'failing' }, { handler: 'error', error: 'broken here', status_code: 503 });
    expect((await server.request()).status).to.equal(503);
    await server.close();
    expect(collector.text).to.include('broken here');
  });

  for (const compression of ['none', 'gzip']) {
    it(`tracing sends spans with Content-Length, compressed with ${compression}`, async () => {
      process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = compression;
      const server = await start({}, show('x'));
      await server.request();
      await server.close();
      expect(collector.lengths).to.have.length(1);
      expect(collector.lengths).to.deep.equal(collector.sizes);
    });
  }

  it('tracing retries if the trace collector is busy', async () => {
    collector.refusals = 1;
    const server = await start({ span: 'patient' }, show('x'));
    await server.request();
    await server.close();
    expect(collector.paths).to.have.length(2);
    expect(collector.text.split('patient')).to.have.length(3);
  });

  it('tracing does not affect requests if the collector is unreachable', async () => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1';
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '200';
    const server = await start({}, show('served'));
    expect((await server.request()).text).to.equal('served');
    await server.close();
  });

  it('tracing can be disabled with the OTEL environment variables', async () => {
    process.env['OTEL_SDK_DISABLED'] = 'true';
    const server = await start({}, show('[{http.vars.trace_id}] {http.request.header.Traceparent}'));
    expect((await server.request()).text).to.equal('[] ');
    await server.close();
  });

  it('tracing samples requests according to the OTEL environment variables', async () => {
    process.env['OTEL_TRACES_SAMPLER'] = 'always_off';
    const server = await start({}, seen);
    expect((await server.request()).text).to.match(/-00 $/);
    await server.close();
    expect(collector.paths).to.deep.equal([]);
  });
});
