/** Tests for published FastCGI advisories of similar servers. They concern script selection, and client data passed to scripts. */
import { expect } from 'chai';
import { exchangeRaw, rawUpstream, type RawUpstream } from '../support/raw.ts';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

const paramsType = 4;
const stdinType = 5;
const stdoutType = 6;
const endType = 3;

describe('published advisories about FastCGI', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let responder: RawUpstream;
  before(async () => {
    sandbox = new Sandbox();
    responder = await rawUpstream((socket, all) => {
      if (isWhole(Buffer.from(all, 'latin1'))) socket.end(Buffer.concat([output('Status: 200\r\n\r\nran'), end]));
    });
    const transport = { protocol: 'fastcgi', root: '/srv', split_path: ['.php'] };
    const handle = [{ handler: 'reverse_proxy', upstreams: [{ dial: responder.dial }], transport }];
    server = await TestServer.run(sandbox, [{ handle }]);
  });
  after(async () => {
    await responder.close();
    await sandbox.remove();
  });

  /** Returns the parameters that the FastCGI responder receives for a request. */
  async function reported(path: string, lines = ''): Promise<Record<string, string>> {
    responder.received.length = 0;
    const received = await exchangeRaw(server.httpPort, `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
    expect(received).to.contain('ran');
    return paramsOf(Buffer.from(responder.received.at(-1) ?? '', 'latin1'));
  }

  it('CVE-2026-27590 (GHSA-5r3v-vc8m-m96g, GHSA-g966-83w7-6w38): fastcgi splits the path after the script name, even if lowercasing changes the length of the path', async () => {
    // U+023A takes two bytes in UTF-8, but its lowercase form takes three.
    const path = '/ȺȺȺȺshell.php.txt.php';
    const params = await reported(encodeURI(path));
    expect(params['SCRIPT_NAME']).to.equal('/ȺȺȺȺshell.php');
    expect(params['SCRIPT_FILENAME']).to.equal('/srv/ȺȺȺȺshell.php');
    expect(`${params['SCRIPT_NAME']}${params['PATH_INFO']}`).to.equal(path);
  });

  it('GHSA-3g8v-8r37-cgjm, GHSA-v4h7-cj44-8fc8: fastcgi does not accept lookalike characters in a script extension', async () => {
    for (const path of ['/name.¡.txt', '/a.𝗉𝗁𝗉/b', '/a.ｐｈｐ/b', '/a.ⓟⓗⓟ/b', '/a.ρhp/b', '/a.p\u017fp/b']) {
      const params = await reported(encodeURI(path));
      expect(params['PATH_INFO'] ?? '', path).to.equal('');
      expect(params['SCRIPT_NAME'], path).to.equal(path);
    }
    expect((await reported('/a.PhP/b'))['PATH_INFO']).to.equal('/b');
  });

  it('CVE-2016-5385, fixed again in 2.11.6: fastcgi does not pass client headers to scripts as proxy settings', async () => {
    for (const name of ['Proxy', 'proxy', 'PROXY']) {
      const params = await reported('/a.php', `${name}: http://evil.test\r\n`);
      expect(Object.keys(params), name).to.not.include('HTTP_PROXY');
    }
  });

  it('CVE-2026-52845 (GHSA-f59h-q822-g45g), GHSA-49wc-4hcv-v58q: fastcgi drops client headers that map to the same CGI variable as a header set by a route', async () => {
    const params = await reported('/a.php', 'Remote_User: a\r\nRemote.User: b\r\nREMOTE_user: c\r\n');
    expect(Object.keys(params).filter((name) => name.startsWith('HTTP_REMOTE'))).to.deep.equal([]);
  });
});

function record(type: number, content: Buffer): Buffer {
  const head = Buffer.from([1, type, 0, 1, 0, 0, 0, 0]);
  head.writeUInt16BE(content.length, 4);
  return Buffer.concat([head, content]);
}

function output(text: string): Buffer {
  return record(stdoutType, Buffer.from(text));
}

const end = record(endType, Buffer.alloc(8));

/** Returns the concatenated contents of all FastCGI records of a type. */
function contentOf(all: Buffer, wanted: number): { content: Buffer; ended: boolean } {
  const parts: Buffer[] = [];
  let ended = false;
  for (let at = 0; at + 8 <= all.length;) {
    const length = all.readUInt16BE(at + 4);
    if (all[at + 1] === wanted) {
      parts.push(all.subarray(at + 8, at + 8 + length));
      ended ||= length === 0;
    }
    at += 8 + length + (all[at + 6] ?? 0);
  }
  return { content: Buffer.concat(parts), ended };
}

function isWhole(all: Buffer): boolean {
  return contentOf(all, stdinType).ended;
}

function paramsOf(all: Buffer): Record<string, string> {
  const { content } = contentOf(all, paramsType);
  const params: Record<string, string> = {};
  let at = 0;
  const length = (): number => {
    const first = content.readUInt8(at);
    if (first < 0x80) {
      at++;
      return first;
    }
    at += 4;
    return content.readUInt32BE(at - 4) - 0x8000_0000;
  };
  while (at < content.length) {
    const [name, value] = [length(), length()];
    params[content.toString('utf8', at, at + name)] = content.toString('utf8', at + name, at + name + value);
    at += name + value;
  }
  return params;
}
