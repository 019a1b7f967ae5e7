import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import {
  asCaddyfile,
  fromCaddyfile,
  request,
  wafEngine,
  withRoutes,
  type TestRequest,
  type TestResponse,
} from '@sluice/testing';
import { packages, scripted } from '../encode/support.ts';

const engine = wafEngine();
const guide = new URL('../../../../../docs/guide/waf.md', import.meta.url);

const ruleSet = `
Include @coraza.conf-recommended
Include @crs-setup.conf.example
Include @owasp_crs/*.conf
SecRuleEngine On
SecAuditEngine Off
`;

const waf = (directives: string, more: JsonObject = {}): JsonObject => ({
  handler: 'waf',
  ...(engine !== null && { engine }),
  directives,
  ...more,
});
const crs = waf(ruleSet, { load_owasp_crs: true });

const through = (handlers: JsonObject[], what: TestRequest | string = '/'): Promise<TestResponse> =>
  request(withRoutes([{ handle: handlers }]), what, { register: packages });

const echo = scripted('waf-echo', async ({ body, response }) => {
  response.end(await body.bytes(64 * 1024 * 1024));
});

/** Returns a handler that responds with the given media type and body chunks. */
const responding = (name: string, type: string, ...pieces: readonly string[]): JsonObject =>
  scripted(name, ({ response }) => {
    response.headers.set('content-type', type);
    response.headers.set('x-upstream', 'yes');
    for (const piece of pieces) {
      response.write(Buffer.from(piece));
      response.flush();
    }
    response.end();
  });

const form = (body: string): TestRequest => ({
  method: 'POST',
  path: '/contact',
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'test', accept: '*/*' },
  body,
});
const get = (path: string): TestRequest => ({ path, headers: { 'user-agent': 'test', accept: '*/*' } });

describe('http.handlers.waf', () => {
  describe('http.handlers.waf with the engine', () => {
    before(function () {
      if (engine === null) this.skip();
    });

    it('waf with the Core Rule Set rejects attacks in the query and in the body, and accepts other requests', async () => {
      expect(await through([crs, echo], get('/?page=2'))).to.include({ status: 200 });
      expect(await through([crs, echo], get("/?id=1'%20OR%20'1'='1"))).to.include({ status: 403, text: '' });
      expect(await through([crs, echo], form('name=Ada&text=hello+there'))).to.include({
        status: 200,
        text: 'name=Ada&text=hello+there',
      });
      expect(await through([crs, echo], form("id=1' OR '1'='1"))).to.include({ status: 403, text: '' });
    });

    it('waf inspects a body up to SecRequestBodyLimit, and forwards the whole body', async () => {
      const limited = waf(`
        SecRuleEngine On
        SecRequestBodyAccess On
        SecRequestBodyLimit 1024
        SecRequestBodyInMemoryLimit 1024
        SecRequestBodyLimitAction ProcessPartial
        SecRule ARGS:evil "@streq yes" "id:1,phase:2,deny,status:400"
      `);
      const long = `a=${'x'.repeat(300_000)}`;
      expect((await through([limited, echo], form(long))).text).to.equal(long);
      expect(await through([limited, echo], form(`evil=yes&${long}`))).to.include({ status: 400 });
      expect(await through([limited, echo], form(`${long}&evil=yes`))).to.include({ status: 200 });
    });

    it('waf rejects a response because of its body, and removes the original header fields', async () => {
      const leak = waf(`
        SecRuleEngine On
        SecResponseBodyAccess On
        SecResponseBodyMimeType text/plain
        SecRule RESPONSE_BODY "@contains secret" "id:2,phase:4,deny,status:502"
      `);
      const rejected = await through([leak, responding('leak', 'text/plain', 'a sec', 'ret word')]);
      expect(rejected).to.include({ status: 502, text: '' });
      expect(rejected.headers.has('x-upstream')).to.equal(false);
      const passed = await through([leak, responding('fine', 'text/plain', 'a sec', 'ond word')]);
      expect(passed).to.include({ status: 200, text: 'a second word' });
      expect(passed.headers.get('x-upstream')).to.equal('yes');
      expect(await through([leak, responding('other', 'text/csv', 'secret')])).to.include({ status: 200 });
    });

    it('waf sends each event of an event stream immediately', async () => {
      const all = waf('SecRuleEngine On\nSecResponseBodyAccess On\nSecResponseBodyMimeType text/event-stream');
      let release = (): void => undefined;
      const isSent = new Promise<void>((resolve) => {
        release = resolve;
      });
      const events = scripted('waf-events', async (exchange) => {
        const { response } = exchange;
        response.headers.set('content-type', 'text/event-stream');
        response.write('data: 1\n\n');
        response.flush();
        await response.drained();
        // The test continues only if the event is sent before the response is complete.
        if (exchange.writer.status === 200) release();
        response.end('data: 2\n\n');
      });
      expect((await through([all, events])).text).to.equal('data: 1\n\ndata: 2\n\n');
      await isSent;
    });

    it('waf discards a buffered response if a later handler fails', async () => {
      const failing = scripted('waf-failing', ({ response }) => {
        response.writeHead(200);
        throw new HttpError(418, 'failed');
      });
      expect(await through([waf('SecRuleEngine On'), failing])).to.include({ status: 418, text: '' });
    });

    it('waf redirects the client for the redirect action, and closes the connection for the drop action', async () => {
      const rules = waf(`
        SecRuleEngine On
        SecRule REQUEST_URI "@streq /old" "id:3,phase:1,redirect:'https://example.com/new',status:301"
        SecRule REQUEST_URI "@streq /drop" "id:4,phase:1,drop"
      `);
      const redirected = await through([rules, echo], '/old');
      expect(redirected.status).to.equal(301);
      expect(redirected.headers.get('location')).to.equal('https://example.com/new');
      expect((await through([rules, echo], '/drop')).status).to.equal(0);
    });

    it('waf reads the transaction ID from tx_id_req_header, and generates an ID if the field is missing', async () => {
      const show = { handler: 'static_response', body: '{http.transaction_id}' };
      const rules = waf('SecRuleEngine On\nSecRule UNIQUE_ID "@streq evil" "id:5,phase:1,deny,status:409"', {
        tx_id_req_header: 'X-Id',
      });
      expect((await through([rules, show], { path: '/', headers: { 'x-id': 'abc' } })).text).to.equal('abc');
      expect((await through([rules, show])).text).to.match(/^[0-9a-f]{16}$/);
      expect((await through([rules, show], { path: '/', headers: { 'x-id': 'evil' } })).status).to.equal(409);
    });

    it('waf passes the bytes of header fields to the rules unchanged', async () => {
      const rules = waf(
        'SecRuleEngine On\nSecRule REQUEST_HEADERS:X-Name "@streq 5aeb7c80" "id:6,phase:1,deny,t:hexEncode"',
      );
      const named = (value: string): TestRequest => ({ path: '/', headers: { 'x-name': value } });
      expect((await through([rules, echo], named('Z\udceb|\udc80'))).status).to.equal(403);
      expect((await through([rules, echo], named('Z'))).status).to.equal(200);
      const uri = waf('SecRuleEngine On\nSecRule ARGS:a "@streq \u2460\u00e9" "id:7,phase:1,deny"');
      expect((await through([uri, echo], '/?a=\u2460\u00e9')).status).to.equal(403);
    });

    it('waf rejects a configuration with invalid directives', async () => {
      let message = '';
      await through([waf('SecRule ARGS'), echo]).catch((error: unknown) => {
        message = String(error);
      });
      expect(message).to.contain('handle[0]').and.to.contain('directive "secrule"');
    });
  });

  describe('http.handlers.waf with an unavailable engine', () => {
    let folder: string;
    let broken: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'waf-test-'));
      broken = join(folder, 'broken-engine');
      // This simulated engine accepts the rules but never listens.
      await writeFile(broken, '#!/bin/sh\nread settings\necho \'{"ready":true}\'\nread rest\n');
      await chmod(broken, 0o755);
    });
    after(() => rm(folder, { recursive: true }));

    it('waf rejects requests with status 503 if the engine is unavailable', async () => {
      expect(await through([waf('', { engine: broken }), echo])).to.include({ status: 503, text: '' });
    });

    it('waf with fail_open forwards requests if the engine is unavailable', async () => {
      const open = waf('', { engine: broken, fail_open: true });
      expect(await through([open, echo], form('a=b'))).to.include({ status: 200, text: 'a=b' });
    });

    it('waf rejects a configuration if the engine is not installed', async () => {
      let message = '';
      await through([waf('', { engine: join(folder, 'missing') }), echo]).catch((error: unknown) => {
        message = String(error);
      });
      expect(message).to.contain('handle[0]').and.to.contain('docs/guide/waf.md');
    });
  });

  it('the coraza_waf directive adapts to the JSON in the guide', async () => {
    const [, caddyfile = '', json = ''] =
      /```caddyfile\n([^]*?)```\n\n```json\n([^]*?)```/.exec(readFileSync(guide, 'utf8')) ?? [];
    expect(await fromCaddyfile(caddyfile)).to.deep.equal(JSON.parse(json));
  });

  it('the coraza_waf directive adapts to http.handlers.waf and back', async () => {
    const text =
      ':80 {\n\tcoraza_waf {\n\t\tload_owasp_crs\n\t\tdirectives `Include @owasp_crs/*.conf`\n\t\tinclude a.conf\n\t\tinclude b.conf\n\t\tfail_open\n\t}\n}\n';
    const adapted = await fromCaddyfile(text);
    expect(JSON.stringify(adapted)).to.contain(
      '{"directives":"Include @owasp_crs/*.conf","fail_open":true,"handler":"waf","include":["a.conf","b.conf"],"load_owasp_crs":true}',
    );
    expect(await fromCaddyfile((await asCaddyfile(adapted)).text)).to.deep.equal(adapted);
  });
});
