import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createGunzip } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';
import { EventBoundary } from '../../src/reverse_proxy/event-boundary.ts';
import { httpUpstream, listeningServer, Opened, proxyTo, until } from './support.ts';

/** Parses an event stream as browsers do (HTML Standard, section 9.2.6). Returns the dispatched events and the last event ID. */
function parse(stream: string): unknown {
  const events: { type: string; data: string; id: string }[] = [];
  let [type, data, id] = ['', '', ''];
  const lines = stream.replace(/^\u{feff}/u, '').split(/\r\n|\n|\r/);
  // The last line is incomplete and is ignored.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (data !== '') events.push({ type, data, id });
      [type, data] = ['', ''];
      continue;
    }
    if (line.startsWith(':')) continue;
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') type = value;
    else if (field === 'data') data += `${value}\n`;
    else if (field === 'id') id = value;
  }
  return { events, id, rest: [type, data, lines.at(-1)] };
}

const anyLine = fc.constantFrom('data: a', 'data:b', 'data', 'event: x', 'id: 7', ': note', 'retry: 5', '', '', '');
const anyEnd = fc.constantFrom('\n', '\r\n', '\r');
const anyStream = fc
  .tuple(fc.constantFrom('', '\u{feff}'), fc.array(fc.tuple(anyLine, anyEnd), { maxLength: 12 }), anyLine)
  .map(([mark, lines, last]) => mark + lines.map((each) => each.join('')).join('') + last);

describe('http.handlers.reverse_proxy: sse_keepalive', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  it('comments that sse_keepalive inserts at any event boundary do not change the events of a stream', () => {
    fc.assert(
      fc.property(anyStream, fc.array(fc.nat({ max: 200 }), { maxLength: 20 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        // The byte order mark must not be split.
        const positions = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).filter((cut) => cut > 2), bytes.length];
        positions.sort((a, b) => a - b);
        const boundary = new EventBoundary();
        const sent: Buffer[] = [];
        positions.forEach((to, index) => {
          const from = positions[index - 1] ?? 0;
          sent.push(bytes.subarray(boundary.follow(bytes, from, to), to));
          if (!boundary.isReached) return;
          boundary.commented();
          sent.push(Buffer.from(':\n\n'));
        });
        expect(parse(Buffer.concat(sent).toString())).to.deep.equal(parse(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('EventBoundary reports a boundary at the start of a stream, and after blank lines with any line ending', () => {
    const isReached = (...pieces: string[]): boolean => {
      const boundary = new EventBoundary();
      for (const piece of pieces) boundary.follow(Buffer.from(piece), 0, piece.length);
      return boundary.isReached;
    };
    for (const pieces of [
      [],
      ['a\n\n'],
      ['a\r\n', '\r\n'],
      ['a\r\r'],
      ['a', '\n', '\n'],
      ['a\r', '\n', '\r', '\n'],
      ['\n'],
    ])
      expect(isReached(...pieces), JSON.stringify(pieces)).to.equal(true);
    for (const pieces of [['a'], ['a\n'], ['a\r\n'], ['a', '\r', '\n'], ['a\n\nb'], ['a\n\n', 'b\n'], ['\nb']])
      expect(isReached(...pieces), JSON.stringify(pieces)).to.equal(false);
  });

  /** Starts an upstream whose event stream the test controls. */
  async function source(
    fields: Readonly<Record<string, string>> = {},
  ): Promise<{ dial: string; streams: ServerResponse[] }> {
    const streams: ServerResponse[] = [];
    const { dial } = opened.add(
      await httpUpstream((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', ...fields }).flushHeaders();
        streams.push(response);
      }),
    );
    return { dial, streams };
  }

  /** Connects a client to a proxy. The client accepts only gzip. */
  async function reading(
    dial: string,
    options: JsonObject = { sse_keepalive: '25ms' },
    before: readonly JsonObject[] = [],
  ): Promise<{ text(): string; abort(): void }> {
    const { port } = opened.add(await listeningServer([...before, proxyTo(dial, options)]));
    const request = get({ host: '127.0.0.1', port, headers: { 'Accept-Encoding': 'gzip' } });
    request.on('error', () => undefined);
    opened.add({ close: () => void request.destroy() });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const body = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
    let text = '';
    body.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
    return { text: () => text, abort: () => void request.destroy() };
  }

  it('sse_keepalive sends comments in idle streams, before the first event and between events', async () => {
    const { dial, streams } = await source();
    const { text } = await reading(dial);
    await until(() => text().startsWith(':\n\n:\n\n'));
    streams[0]?.write('data: 1\n\n');
    await until(() => text().includes('data: 1\n\n:\n\n'));
    streams[0]?.end('data: 2\n\n');
    await until(() => text().endsWith('data: 2\n\n'));
    expect(text().replaceAll(':\n\n', '')).to.equal('data: 1\n\ndata: 2\n\n');
  });

  it('sse_keepalive does not send a comment within an event', async () => {
    const { dial, streams } = await source();
    const { dial: other, streams: others } = await source();
    const paused = await reading(dial);
    const silent = await reading(other);
    streams[0]?.write('data: 1\ndata: ');
    // The other stream has the same interval. Its comments prove that enough time has passed for several comments.
    others[0]?.write('data: x\n\n');
    await until(() => silent.text().split(':\n\n').length > 5);
    expect(paused.text().replaceAll(':\n\n', '')).to.equal('data: 1\ndata: ');
    expect(paused.text()).to.match(/data: $/);
    streams[0]?.write('2\n\n');
    await until(() => paused.text().includes('data: 1\ndata: 2\n\n:\n\n'));
  });

  it('sse_keepalive sends comments only if the option is set, and only in uncompressed event streams of unknown length', async () => {
    const { dial: silent, streams: witness } = await source();
    const seen = await reading(silent);
    const kinds: [Record<string, string>, JsonObject?][] = [
      [{}, {}],
      [{ 'Content-Encoding': 'br' }],
      [{ 'Content-Type': 'application/x-ndjson' }],
      [{ 'Content-Length': '100' }],
    ];
    const others = [];
    for (const [fields, options] of kinds) {
      const { dial, streams } = await source(fields);
      const { text } = await reading(dial, options);
      streams[0]?.write('\n\n');
      others.push(text);
    }
    witness[0]?.write('data: x\n\n');
    const before = seen.text().length;
    await until(() => seen.text().length > before + 12);
    for (const text of others) expect(text()).to.not.contain(':');
  });

  it('sse_keepalive comments are compressed by the encode handler', async () => {
    const { dial, streams } = await source();
    const encode = { handler: 'encode', encodings: { gzip: {} }, match: { headers: { 'Content-Type': ['text/*'] } } };
    const { text } = await reading(dial, { sse_keepalive: '25ms' }, [encode]);
    streams[0]?.write('data: 1\n\n');
    await until(() => text().includes('data: 1\n\n:\n\n:\n\n'));
  });

  it('sse_keepalive stops when the client disconnects', async () => {
    const { dial, streams } = await source();
    const { text, abort } = await reading(dial);
    await until(() => text().length > 0);
    abort();
    await until(() => streams[0]?.destroyed === true, 'the end of the upstream response');
  });

  it('the reverse_proxy directive accepts sse_keepalive, and rejects a negative interval', async () => {
    const document = await fromCaddyfile(':80 {\n\treverse_proxy localhost:9000 {\n\t\tsse_keepalive 15s\n\t}\n}\n');
    expect(JSON.stringify(document)).to.contain('"sse_keepalive":15000000000');
    expect((await asCaddyfile(document)).text).to.contain('\t\tsse_keepalive 15s\n');
    const error: unknown = await listeningServer([proxyTo('localhost:1', { sse_keepalive: '-1s' })]).catch(
      (each: unknown) => each,
    );
    expect(String(error)).to.contain('sse_keepalive');
  });
});
