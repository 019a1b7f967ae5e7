import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { defineModule, options, type Registry } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { request, serve, withRoutes, type TestResponse } from '@sluice/testing';
import { templateFunctions } from '@sluice/contracts';
import { register } from '@sluice/http.handlers';
import { lines, show, through } from '../support.ts';
import { registerPathMatcher } from './path-matcher.ts';

function registerShout(registry: Registry): void {
  registry.add(
    defineModule(templateFunctions, {
      name: 'shout',
      help: 'Shouts.',
      config: options({}),
      provision: () => ({ functions: { shout: (text: never) => `${String(text)}!` } }),
    }),
  );
}

/** Returns the response to a template page. Error routes respond with the error message. */
function page(text: string, settings: JsonObject = {}): Promise<TestResponse> {
  const errors = { errors: { routes: [{ handle: [show('{http.error.message}')] }] } };
  return through([{ handler: 'templates', ...settings }, show(text)], '/page.html', errors);
}

describe('http.handlers.templates', () => {
  let folder: string;

  // Attack in docs/security.md: Templates with `genPrivateKey`, `bcrypt`, `derivePassword`, long Markdown.
  it('templates compute each password hash and key once in another thread, without blocking', async function () {
    this.timeout(60_000);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const text =
      '{{genPrivateKey "rsa" | trunc 31}} {{bcrypt "a" | trunc 7}} {{htpasswd "u" "a" | trunc 9}} {{derivePassword 1 "long" "p" "u" "x.example" | len}} {{$h := bcrypt "b"}}{{eq $h $h}} {{bcrypt (repeat 73 "x") | trunc 6}}';
    const { status, text: body } = await page(text);
    delay.disable();
    expect([status, body]).to.deep.equal([200, '-----BEGIN RSA PRIVATE KEY----- $2a$10$ u:$2a$10$ 14 true failed']);
    // bcrypt takes 70 ms of thread time, scrypt takes 100 ms, and the key takes about a second.
    expect(delay.percentile(99) / 1e6).to.be.below(60);
  });

  it('templates reject a page with more than 20 password hashes', async () => {
    const { status, text } = await page('{{range $i := until 21}}{{bcrypt "a"}}{{end}}');
    expect([status, text]).to.deep.equal([500, 'a page has more than 20 password hashes and private keys']);
  });

  // Attack in docs/security.md: Templates with `genPrivateKey`, `bcrypt`, `derivePassword`, long Markdown.
  it('templates abort slow Markdown, with one time limit for all executions of a page', async function () {
    this.timeout(30_000);
    const startedAt = performance.now();
    const { status, text } = await page('{{markdown (repeat 2000000 "[")}}');
    expect([status, text]).to.deep.equal([500, 'Markdown timed out']);
    expect(performance.now() - startedAt).to.be.below(20_000);
  });

  // Attack in docs/security.md: Templates with `genPrivateKey`, `bcrypt`, `derivePassword`, long Markdown.
  it('templates create unique heading IDs without trying each number', async () => {
    const { text } = await page('{{markdown (repeat 5000 "# a\\n\\n# a-1\\n\\n")}}');
    const ids = [...text.matchAll(/id="([^"]*)"/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).to.deep.equal([10_000, 10_000]);
    expect(ids.slice(0, 4)).to.deep.equal(['a', 'a-1', 'a-2', 'a-1-1']);
  });

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sluice-templates-'));
    fs.mkdirSync(path.join(folder, 'root'));
    fs.writeFileSync(path.join(folder, 'secret'), 'secret');
    for (const [name, text] of Object.entries({
      'self.html': '{{include "self.html"}}',
      'forever.html': '{{range 100000}}{{range 100000}}{{end}}{{end}}',
      'broken.html': 'line\n{{if}}',
      'failing.html': 'line\n{{index (list 1) 5}}',
    }))
      fs.writeFileSync(path.join(folder, 'root', name), text);
  });

  after(() => fs.rmSync(folder, { recursive: true }));

  const inRoot = (text: string): Promise<TestResponse> => page(text, { file_root: path.join(folder, 'root') });

  const failing: readonly [text: string, message: RegExp][] = [
    ['{{if}}', /^template: \/page\.html:1: missing value for if/],
    ['a\n{{index (list 1) 5}}', /^template: \/page\.html:2:2: executing "\/page\.html" at <index \(list 1\) 5>: /],
    ['{{include "failing.html"}}', /error calling include: template: failing\.html:2:2: executing "failing\.html"/],
    ['{{include "broken.html"}}', /error calling include: template: broken\.html:2: /],
    ['{{include "self.html"}}', /depth/],
    ['{{define "a"}}{{template "a"}}{{end}}{{template "a"}}', /depth/],
    ['{{readFile "../secret"}}', /no such file/],
    ['{{readFile "/../../secret"}}', /no such file/],
    ['{{readFile "a\\x00b"}}', /not a file name/],
    ['{{readFile "."}}', /directory/],
    ['{{humanize "size" "x"}}', /not a size/],
    ['{{httpInclude "plain"}}', /must begin with a slash/],
  ];
  for (const [text, message] of failing) {
    it(`templates report the position and reason of an error in ${JSON.stringify(text)}`, async () => {
      const response = await inRoot(text);
      expect(response.status).to.equal(500);
      expect(response.text).to.match(message);
    });
  }

  it('templates abort pages that never end', async function () {
    this.timeout(20_000);
    const response = await inRoot('{{include "forever.html"}}');
    expect(response.status).to.equal(500);
    expect(response.text).to.include('exceeded the limit');
  });

  it('templates do not block on devices and pipes', async () => {
    const { status } = await page('{{readFile "null"}}', { file_root: '/dev' });
    expect(status).to.equal(500);
  });

  it('templates detect that an included file has changed', async () => {
    const file = path.join(folder, 'root', 'changing.html');
    fs.writeFileSync(file, 'one');
    expect((await inRoot('{{include "changing.html"}}')).text).to.equal('one');
    fs.writeFileSync(file, 'other');
    expect((await inRoot('{{include "changing.html"}}')).text).to.equal('other');
  });

  it('templates remove header fields that describe the unexecuted template', async () => {
    const text = {
      handler: 'static_response',
      body: '{{1}}',
      headers: {
        Etag: ['"e"'],
        'Last-Modified': ['x'],
        'Accept-Ranges': ['bytes'],
        'Content-Length': ['5'],
        'X-Kept': ['1'],
      },
    };
    const response = await through([{ handler: 'templates' }, text]);
    expect(response.text).to.equal('1');
    expect(lines(response)).to.deep.equal(['x-kept: 1', 'content-type: text/plain; charset=utf-8']);
  });

  it('templates remove Content-Range if the template fails', async () => {
    const page = (body: string): JsonObject => ({
      handler: 'static_response',
      body,
      headers: { 'Content-Range': ['bytes 0-5/9'], 'X-Kept': ['1'] },
    });
    const failed = await through([{ handler: 'templates' }, page('{{fail')]);
    expect(failed.status).to.equal(500);
    expect(lines(failed)).to.deep.equal(['x-kept: 1']);
    expect(lines(await through([{ handler: 'templates' }, page('{{1}}')]))).to.include('content-range: bytes 0-5/9');
  });

  it('templates do not change compressed bodies', async () => {
    const text = { handler: 'static_response', body: '{{1}}', headers: { 'Content-Encoding': ['br'] } };
    expect((await through([{ handler: 'templates' }, text])).text).to.equal('{{1}}');
  });

  it('templates preserve bytes that are not valid UTF-8', async () => {
    const file = path.join(folder, 'root', 'latin1.html');
    fs.writeFileSync(file, Buffer.from([0xe9, 0x7b, 0x7b, 0x31, 0x7d, 0x7d, 0xff]));
    const files = { handler: 'file_server', root: path.join(folder, 'root') };
    const response = await through([{ handler: 'templates' }, files], '/latin1.html');
    expect([...response.body]).to.deep.equal([0xe9, 0x31, 0xff]);
  });

  it('templates can use functions of other modules', async () => {
    const config = withRoutes([
      {
        handle: [
          { handler: 'templates', match: { shout: {} } },
          show('{{shout "a"}} {{maybe "shout" "b"}} {{maybe "none"}}'),
        ],
      },
    ]);
    expect((await request(config, '/', { register: [register, registerShout] })).text).to.equal('a! b! ');
  });

  it('templates reject delimiters that are not a pair', async () => {
    const failure = await page('x', { delimiters: ['[['] }).catch((error: unknown) => error);
    expect(String(failure)).to.include('delimiters: expected 2 delimiters');
  });

  describe('httpInclude', () => {
    /** Serves a page at `/` and the files that it may include. */
    async function including(text: string, headers: Record<string, string> = {}): Promise<TestResponse> {
      const route = (path: string, ...handle: JsonObject[]): JsonObject => ({
        match: [{ path: [path] }],
        handle,
        terminal: true,
      });
      const config = withRoutes([
        route('/a', show('A {http.request.header.X-H} {http.request.header.Range}')),
        route('/b', { handler: 'templates' }, show('B{{httpInclude "/a"}}')),
        route('/gone', { handler: 'error', status_code: 410 }),
        route('/abort', { handler: 'static_response', abort: true }),
        route('/loop', { handler: 'templates' }, show('{{httpInclude "/loop"}}')),
        { handle: [{ handler: 'templates' }, show(text)] },
      ]);
      const running = await serve(config, { register: [register, registerPathMatcher] });
      const response = await running.request({ path: '/', headers });
      await running.close();
      return response;
    }

    it('httpInclude inserts the response to a subrequest that has the header fields of the original request', async () => {
      const response = await including('[{{httpInclude "/a"}}|{{httpInclude "/b" | lower}}|{{httpInclude "/a"}}]', {
        'X-H': 'h',
        Range: 'bytes=0-1',
      });
      expect(response.text).to.equal('[A h |ba h |A h ]');
    });

    it('httpInclude changes the response only once, even if the page is executed several times', async () => {
      const response = await including('{{.RespHeader.Add "X-A" "1"}}{{httpInclude "/a"}}{{httpInclude "/b"}}');
      expect(response.headers.all('x-a')).to.deep.equal(['1']);
    });

    for (const uri of ['/gone', '/abort', '/loop', '/a b', 'http://a/', '']) {
      it(`httpInclude ${JSON.stringify(uri)} fails with 500`, async () => {
        expect((await including(`{{httpInclude "${uri}"}}`)).status).to.equal(500);
      });
    }
  });
});
