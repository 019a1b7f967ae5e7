import { expect } from 'chai';
import { parseDialAddress, BufferedBody, type Exchange, type UpstreamSink } from '@sluice/http-app';
import { decodeBytes, type JsonObject } from '@sluice/base';
import { makeExchange, type TestRequest } from '@sluice/testing';
import {
  endOfStream,
  encodeParams,
  paramsRecord,
  RecordReader,
  stdinRecord,
  stdoutRecord,
  streamRecords,
} from '../../src/transport/fastcgi/records.ts';
import { scriptPathOf, splitScript } from '../../src/transport/fastcgi/script-path.ts';
import { idleSink, makeTransport, scripted, send, type TestResponse } from './support.ts';

/** A FastCGI request as received by a responder. */
interface Received {
  readonly params: Record<string, string>;
  readonly stdin: string;
}

function decodeParams(bytes: Buffer): Record<string, string> {
  const params: Record<string, string> = {};
  let at = 0;
  const length = (): number => {
    const first = bytes[at] as number;
    const long = first >= 0x80;
    const value = long ? bytes.readUInt32BE(at) - 0x8000_0000 : first;
    at += long ? 4 : 1;
    return value;
  };
  while (at < bytes.length) {
    const nameLength = length();
    const valueLength = length();
    params[bytes.toString('utf8', at, at + nameLength)] = decodeBytes(
      bytes.subarray(at + nameLength, at + nameLength + valueLength),
    );
    at += nameLength + valueLength;
  }
  return params;
}

const end = Buffer.from([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

describe('http.reverse_proxy.transport.fastcgi', () => {
  const opened: { close(): Promise<void> | void }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  /** Starts a FastCGI responder that writes the given standard output. Returns the received request. */
  async function responder(output: string | Buffer, close = true): Promise<{ dial: string; received: Received[] }> {
    const received: Received[] = [];
    const listening = await scripted((bytes, socket) => {
      const params: Buffer[] = [];
      const stdin: Buffer[] = [];
      const reader = new RecordReader((type, content) => {
        (type === paramsRecord ? params : type === stdinRecord ? stdin : []).push(content);
        return true;
      });
      reader.push(bytes);
      if (!bytes.subarray(-8).equals(endOfStream(stdinRecord))) return;
      received.push({ params: decodeParams(Buffer.concat(params)), stdin: Buffer.concat(stdin).toString('latin1') });
      const response =
        typeof output === 'string'
          ? Buffer.concat([streamRecords(stdoutRecord, Buffer.from(output, 'latin1')), end])
          : output;
      if (close) socket.end(response);
      else socket.write(response);
    });
    opened.push(listening);
    return { dial: listening.dial, received };
  }

  async function ask(
    dial: string,
    config: JsonObject,
    what: TestRequest = {},
    { length, values = {} }: { length?: number; values?: Readonly<Record<string, string>> } = {},
  ): Promise<TestResponse> {
    const made = await makeTransport({ protocol: 'fastcgi', ...config });
    opened.push(made);
    const exchange: Exchange = makeExchange(what);
    for (const [name, value] of Object.entries(values)) exchange.setPlaceholder(name, value);
    const body =
      length === undefined
        ? exchange.body
        : Object.assign(new BufferedBody(exchange.body.buffered() as Buffer), { length });
    const { method, rawPath, query, host, headers } = exchange;
    return send(made.instance, parseDialAddress(dial), { method, rawPath, query, host, headers, body, exchange });
  }

  it('fastcgi sets the CGI variables', async () => {
    const { dial, received } = await responder('Content-Type: t/t\r\n\r\nhello');
    const response = await ask(
      dial,
      {
        root: '/srv/www',
        split_path: ['.php'],
        env: { EXTRA: '{http.request.host}', SERVER_NAME: 'mine', NONE: '{http.vars.none}' },
      },
      {
        method: 'POST',
        path: '/a%20b.PHP/info/x?q=1&r',
        host: 'h.test:8080',
        headers: { 'X-A': ['1', '2'], Proxy: 'bad', 'Content-Type': 'c/t' },
        body: 'data',
      },
    );
    expect(response).to.include({ status: 200, proto: 'HTTP/0.0', body: 'hello' });
    expect(received[0]?.stdin).to.equal('data');
    expect(received[0]?.params).to.include({
      CONTENT_LENGTH: '4',
      CONTENT_TYPE: 'c/t',
      DOCUMENT_ROOT: '/srv/www',
      DOCUMENT_URI: '/a b.PHP',
      EXTRA: 'h.test',
      GATEWAY_INTERFACE: 'CGI/1.1',
      HTTP_CONTENT_LENGTH: '4',
      HTTP_HOST: 'h.test:8080',
      HTTP_USER_AGENT: '',
      HTTP_X_A: '1, 2',
      NONE: '',
      PATH_INFO: '/info/x',
      PATH_TRANSLATED: '/srv/www/info/x',
      QUERY_STRING: 'q=1&r',
      REMOTE_ADDR: '127.0.0.1',
      REQUEST_METHOD: 'POST',
      REQUEST_URI: '/a%20b.PHP/info/x?q=1&r',
      SCRIPT_FILENAME: '/srv/www/a b.PHP',
      SCRIPT_NAME: '/a b.PHP',
      SERVER_NAME: 'mine',
      SERVER_PORT: '8080',
      SERVER_PROTOCOL: 'HTTP/1.1',
    });
    expect(received[0]?.params).not.to.have.any.keys('HTTP_PROXY', 'HTTPS');
  });

  const paths: readonly [path: string, splits: readonly string[], script: string, info: string][] = [
    ['/x.php', ['.php'], '/x.php', ''],
    ['/x.php/y', ['.php'], '/x.php', '/y'],
    ['/x.phpx/y', ['.php'], '/x.php', 'x/y'],
    ['/a.php/b.php/c', ['.php'], '/a.php', '/b.php/c'],
    ['/static.txt', ['.php'], '/static.txt', ''],
    ['/x.php', [], '', '/x.php'],
  ];
  for (const [path, splits, script, info] of paths) {
    it(`fastcgi splits ${path} after ${splits.join() || 'nothing'}`, () =>
      expect(splitScript(path, splits)).to.deep.equal([script, info]));
  }

  const forms: readonly [rawPath: string, script: string | null, info: string][] = [
    ['/admin.php/../other.php', '/other.php', ''],
    ['/admin.php//./x/', '/admin.php', '/x/'],
    ['/admin.php%2Fx%20y', '/admin.php', '/x y'],
    ['/admin%2Ephp/x', '/admin.php', '/x'],
    ['/index.php/x%3Fa', '/index.php', '/x?a'],
    ['/admin.php/%2e/x', '/admin.php', '/x'],
    ['/admin.php/..%252fother.php', '/admin.php', '/..%2fother.php'],
    ['/admin.php/..%2fother.php', null, ''],
    ['/admin.php/%2e%2e/other.php', null, ''],
    ['/admin.php%2f%2E%2e%2fother.php', null, ''],
    ['/%2e%2e/admin.php', null, ''],
    ['/%2fadmin.php', null, ''],
    ['/admin.p%68p/..%2fother.php', null, ''],
    // The lowercase form of U+0130 is longer, or is a different letter.
    ['/\u0130.php/page.txt', '/\u0130.php', '/page.txt'],
    ['/%C4%B0%C4%B0.php/y', '/\u0130\u0130.php', '/y'],
  ];
  for (const [rawPath, script, info] of forms) {
    it(`fastcgi ${script === null ? 'rejects two scripts' : `finds the script ${script}`} in ${rawPath}`, () => {
      const find = (): object => scriptPathOf(rawPath, ['.php']);
      if (script === null) expect(find).to.throw('refers to different scripts').with.property('status', 400);
      else expect(find()).to.deep.equal({ script, pathInfo: info });
    });
  }

  it('fastcgi rejects a path that names two different scripts, without connecting to the upstream', async () => {
    const config = { root: '/srv', split_path: ['.php'] };
    const error = await ask('127.0.0.1:1', config, { path: '/admin.php/..%2fother.php' }).catch(
      (reason: Error) => reason,
    );
    expect(error).to.include({ status: 400 });
  });

  it('fastcgi ignores case in split suffixes only for ASCII letters', () => {
    expect(splitScript('/a.ph\u212a/x.phk', ['.phk'])).to.deep.equal(['/a.ph\u212a/x.phk', '']);
  });

  it('fastcgi uses the remainder set by the file matcher if the path contains no split suffix', async () => {
    const { dial, received } = await responder('\r\n');
    const remainder = (path: string): Promise<TestResponse> =>
      ask(
        dial,
        { root: '/srv', split_path: ['.php'] },
        { path },
        {
          values: { 'http.matchers.file.remainder': '/apps/a b/' },
        },
      );
    await remainder('/index.php');
    await remainder('/index.php/own');
    expect(received[0]?.params).to.include({
      SCRIPT_NAME: '/index.php',
      PATH_INFO: '/apps/a b/',
      PATH_TRANSLATED: '/srv/apps/a b/',
    });
    expect(received[1]?.params).to.include({ PATH_INFO: '/own', PATH_TRANSLATED: '/srv/own' });
  });

  it('fastcgi preserves parameter bytes that are not valid UTF-8', async () => {
    const { dial, received } = await responder('\r\n');
    await ask(dial, { root: '/srv', split_path: ['.php'] }, { path: '/x.php/%ff%fe' });
    expect(received[0]?.params['PATH_INFO']).to.equal('/\udcff\udcfe');
  });

  const types: readonly [method: string, sent: string | null, reported: string][] = [
    ['GET', null, ''],
    ['HEAD', null, ''],
    ['OPTIONS', null, ''],
    ['GET', 'a/b', 'a/b'],
    ['POST', null, 'application/x-www-form-urlencoded'],
    ['PUT', '', 'application/x-www-form-urlencoded'],
    ['DELETE', null, 'application/x-www-form-urlencoded'],
    ['PATCH', 'a/b', 'a/b'],
  ];
  for (const [method, sent, reported] of types) {
    it(`fastcgi sends the content type ${JSON.stringify(reported)} for ${method} with ${JSON.stringify(sent)}`, async () => {
      const { dial, received } = await responder('\r\n');
      await ask(dial, { root: '/srv' }, { method, headers: sent === null ? {} : { 'Content-Type': sent } });
      expect(received[0]?.params).to.include({ CONTENT_TYPE: reported, CONTENT_LENGTH: '0', HTTP_CONTENT_LENGTH: '0' });
    });
  }

  it('fastcgi never runs scripts outside the root', async () => {
    const { dial, received } = await responder('\r\n');
    await ask(dial, { root: '/srv', split_path: ['.php'] }, { path: '/../../etc/passwd.php' });
    expect(received[0]?.params['SCRIPT_FILENAME']).to.equal('/srv/etc/passwd.php');
  });

  it('fastcgi rejects a request body without a length', async () => {
    const { dial, received } = await responder('\r\n');
    const error = await ask(dial, { root: '/srv' }, { method: 'POST', body: 'endless' }, { length: -1 }).catch(
      (reason: Error) => reason,
    );
    expect(error).to.include({ status: 411 });
    expect(received).to.deep.equal([]);
  });

  it('fastcgi transfers large parameters, bodies and responses', async () => {
    const large = 'x'.repeat(200_000);
    const { dial, received } = await responder(`X: y\n\n${large}`);
    const response = await ask(dial, { root: '/srv' }, { method: 'POST', headers: { 'X-Large': large }, body: large });
    expect(response.body).to.equal(large);
    expect(received[0]?.params['HTTP_X_LARGE']).to.equal(large);
    expect(received[0]?.stdin).to.equal(large);
  });

  const responses: readonly [what: string, output: string, status: number][] = [
    ['uses the status in the Status field', 'Status: 404 Gone Fishing\r\n\r\n', 404],
    ['returns 302 for a Location field', 'Location: /x\r\n\r\n', 302],
    ['prefers Status over Location', 'Location: /x\r\nStatus: 201\r\n\r\n', 201],
    ['accepts bare line feeds', 'A: b\n\nbody', 200],
  ];
  for (const [what, output, status] of responses) {
    it(`fastcgi ${what}`, async () =>
      expect((await ask((await responder(output)).dial, { root: '/srv' })).status).to.equal(status));
  }

  const failures: readonly [
    what: string,
    output: string | Buffer,
    close: boolean,
    config: JsonObject,
    status: number,
  ][] = [
    ['a response without a head', 'nothing', true, {}, 502],
    ['an invalid status', 'Status: many\r\n\r\n', true, {}, 502],
    ['a closed connection', Buffer.alloc(0), true, {}, 502],
    ['bytes that are not FastCGI', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), true, {}, 502],
    ['a body shorter than its Content-Length', 'Content-Length: 10\r\n\r\nabc', true, {}, 502],
    ['a responder that does not respond', Buffer.alloc(0), false, { read_timeout: '80ms' }, 504],
  ];
  for (const [what, output, close, config, status] of failures) {
    it(`fastcgi fails with ${status} for ${what}`, async () => {
      const error = await ask((await responder(output, close)).dial, { root: '/srv', ...config }).catch(
        (reason: Error) => reason,
      );
      expect(error).to.include({ code: 'ERR_UPSTREAM', status });
    });
  }

  const bodies: readonly [what: string, output: string, method: string, body: string, status: number][] = [
    ['ends a body at its Content-Length', 'Content-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n\r\n', 'GET', 'hi', 200],
    ['accepts two equal Content-Length fields', 'Content-Length: 2\nContent-Length: 2\n\nhi', 'GET', 'hi', 200],
    ['decodes a chunked body', 'Transfer-Encoding: chunked\n\n2\r\nhi\r\n0\r\n\r\nmore', 'GET', 'hi', 200],
    ['expects no body for a HEAD request', 'Content-Length: 10\r\n\r\n', 'HEAD', '', 200],
    ['drops the body of a HEAD response', 'Content-Length: 10\r\n\r\n0123456789', 'HEAD', '', 200],
    ['drops the body of a 204 response', 'Status: 204\r\n\r\nhi', 'GET', '', 204],
    ['expects no body in a 304 response', 'Status: 304\r\nContent-Length: 10\r\n\r\n', 'GET', '', 304],
  ];
  for (const [what, output, method, body, status] of bodies) {
    it(`fastcgi ${what}`, async () => {
      const response = await ask((await responder(output)).dial, { root: '/srv' }, { method });
      expect(response).to.include({ status, body });
      expect(response.headers.all('content-length').length).to.be.lessThan(2);
      expect(response.headers.has('transfer-encoding')).to.equal(false);
    });
  }

  const malformed: readonly [what: string, output: string][] = [
    ['two different Content-Length fields', 'Content-Length: 2\r\nContent-Length: 20\r\n\r\nhi'],
    ['a protocol switch', 'Status: 101 Switching\r\nUpgrade: x\r\n\r\nhi'],
    ['a malformed chunk', 'Transfer-Encoding: chunked\r\n\r\nhi\r\n'],
    ['a chunked body without its last chunk', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n'],
  ];
  for (const [what, output] of malformed) {
    it(`fastcgi reports an error for ${what}`, async () => {
      const error = await ask((await responder(output)).dial, { root: '/srv' }).catch((reason: Error) => reason);
      expect(error).to.include({ code: 'ERR_UPSTREAM', status: 502 });
    });
  }

  /** Sends a request. The receiver of the response pauses after each chunk and resumes in the next event loop turn. */
  async function askSlowly(
    dial: string,
    config: JsonObject,
    pause = 0,
  ): Promise<{ body: string; error: Error | null }> {
    const made = await makeTransport({ protocol: 'fastcgi', ...config });
    opened.push(made);
    const exchange: Exchange = makeExchange({});
    const { method, rawPath, query, host, headers, body } = exchange;
    return new Promise((resolve) => {
      let received = '';
      let paused = false;
      const wait = (): false => {
        paused = true;
        setTimeout(() => {
          paused = false;
          call.resume();
        }, pause);
        return false;
      };
      const finish = (error: Error | null): void => {
        expect(paused, 'the sink takes no more').to.equal(false);
        resolve({ body: received, error });
      };
      const sink: UpstreamSink = {
        ...idleSink,
        onHead: wait,
        onData: (chunk) => {
          received += chunk.toString('latin1');
          return wait();
        },
        onEnd: () => finish(null),
        onError: finish,
      };
      const request = { method, rawPath, query, host, headers, body, upgrade: '', exchange };
      const call = made.instance.send(parseDialAddress(dial), request, sink);
    });
  }

  const large = 'x'.repeat(400_000);
  const stdout = (text: string): Buffer => streamRecords(stdoutRecord, Buffer.from(text));
  const ends: readonly [how: string, output: Buffer, whole: boolean][] = [
    ['with an end record', Buffer.concat([stdout(`\r\n${large}`), end]), true],
    ['with many small records', Buffer.concat([stdout('\n'), ...Array.from(large.slice(0, 500), stdout), end]), true],
    ['at its Content-Length, without an end record', stdout(`Content-Length: ${large.length}\r\n\r\n${large}`), true],
    ['without an end record', stdout(`\r\n${large}`), false],
    ['before its Content-Length', Buffer.concat([stdout(`Content-Length: 400001\r\n\r\n${large}`), end]), false],
  ];
  for (const [how, output, whole] of ends) {
    it(`fastcgi ${whole ? 'delivers a complete' : 'reports an incomplete'} response that ends ${how} to a slow reader`, async () => {
      const { body, error } = await askSlowly((await responder(output)).dial, { root: '/srv' });
      expect(body.length).to.equal(how.includes('small') ? 500 : large.length);
      expect(error === null, error?.message).to.equal(whole);
    });
  }

  it('fastcgi does not time out while a slow reader blocks the responder', async () => {
    const { dial } = await responder(`\r\n${'x'.repeat(150_000)}`);
    const { body, error } = await askSlowly(dial, { root: '/srv', read_timeout: '40ms' }, 60);
    expect([body.length, error]).to.deep.equal([150_000, null]);
  });

  it('fastcgi parses records for any segmentation of the input', () => {
    const bytes = Buffer.concat([
      streamRecords(stdoutRecord, Buffer.from('abc')),
      encodeRecord(7, 'err'),
      streamRecords(stdoutRecord, Buffer.from('defghijk')),
      end,
    ]);
    for (let size = 1; size < bytes.length; size++) {
      let out = '';
      let errors = '';
      let ended = 0;
      const reader = new RecordReader((type, content) => {
        if (type === stdoutRecord) out += content.toString();
        else if (type === 7) errors += content.toString();
        else ended += content.length;
        return true;
      });
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      expect([out, errors, ended]).to.deep.equal(['abcdefghijk', 'err', 8]);
    }
  });

  it('fastcgi encodes names and values with short and long lengths', () => {
    const long = 'v'.repeat(300);
    expect(
      decodeParams(
        encodeParams(
          new Map([
            ['a', ''],
            ['N', long],
          ]),
        ),
      ),
    ).to.deep.equal({ a: '', N: long });
  });

  it('fastcgi rejects split suffixes that are not ASCII', async () => {
    let message = '';
    await makeTransport({ protocol: 'fastcgi', split_path: ['.phß'] }).catch(
      (error: Error) => (message = error.message),
    );
    expect(message).to.contain('split_path[0]').and.contain('ASCII');
  });
});

function encodeRecord(type: number, text: string): Buffer {
  return streamRecords(type, Buffer.from(text));
}
