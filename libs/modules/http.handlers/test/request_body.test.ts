import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { request, withRoutes, type TestRequest } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { show } from './support.ts';

const limit = { handler: 'request_body', max_size: 5 };
const body = '{http.request.body}';
const post = { method: 'POST', headers: { 'content-type': 'text/plain' } };
const announced = (text: string): TestRequest => ({ ...post, body: text });
const chunked = (...pieces: string[]): TestRequest => ({ ...post, pieces });
const errors: JsonObject = { routes: [{ handle: [show('error {http.error.status_code} [{http.request.body}]')] }] };
const cut = 'request body: http: request body too large';

async function received(routes: readonly JsonObject[], what: TestRequest): Promise<string> {
  const response = await request(withRoutes(routes, { errors }), what, { register: [register, registerMatchers] });
  return `${response.status} ${response.text}`;
}

describe('http.handlers.request_body', () => {
  // Attack in docs/security.md: Bodies longer than `request_body.max_size`.
  it('request_body returns 413 before the next handler runs if Content-Length exceeds the limit', async () => {
    expect(await received([{ handle: [limit, show('ran')] }], announced('too long'))).to.equal(
      `413 error 413 [${cut}]`,
    );
    expect(await received([{ handle: [limit, show('ran')] }], announced('short'))).to.equal('200 ran');
  });

  it('request_body does not reject a body of unknown length if no handler reads the body', async () => {
    expect(await received([{ handle: [limit, show('ran')] }], chunked('too ', 'long'))).to.equal('200 ran');
  });

  it('body placeholders, including base64 placeholders, contain the error if request_body makes the body unreadable', async () => {
    expect(await received([{ handle: [limit, show(`[${body}]`)] }], chunked('too ', 'long'))).to.equal(`200 [${cut}]`);
    expect(
      await received([{ handle: [limit, show('[{http.request.body_base64}]')] }], chunked('too ', 'long')),
    ).to.equal(`200 [${cut}]`);
  });

  it('the request_body limit applies to nested routes', async () => {
    const inner = { handler: 'subroute', routes: [{ handle: [limit, show(`[${body}]`)] }] };
    expect(await received([{ handle: [inner] }], chunked('too ', 'long'))).to.equal(`200 [${cut}]`);
    expect(await received([{ handle: [inner] }], chunked('sho', 'rt'))).to.equal('200 [short]');
  });

  it('error routes can read the request body if no handler has read it before', async () => {
    const fail = { handler: 'error', status_code: 418 };
    expect(await received([{ handle: [fail] }], chunked('sho', 'rt'))).to.equal('418 error 418 [short]');
    expect(await received([{ handle: [limit, fail] }], chunked('too ', 'long'))).to.equal(`418 error 418 [${cut}]`);
  });

  const decided: readonly [what: string, matcher: JsonObject, status: number][] = [
    ['the vars matcher', { vars: { [body]: ['short'] } }, 413],
    ['the vars matcher for a variable', { vars: { copy: ['short'] } }, 200],
    ['the vars_regexp matcher', { vars_regexp: { [body]: { pattern: 'short|large' } } }, 413],
    ['the expression matcher', { expression: `${body} == "short" || ${body}.contains("large")` }, 500],
    ['the expression matcher for base64', { expression: '{http.request.body_base64} == "c2hvcnQ="' }, 500],
  ];
  for (const [what, matcher, status] of decided) {
    const handler = { handler: 'vars', copy: body };
    const routes = [
      { handle: [limit, handler] },
      { match: [matcher], handle: [show('yes')] },
      { handle: [show('no')] },
    ];

    it(`${what} can read the request body`, async () => {
      expect(await received(routes, chunked('sho', 'rt'))).to.equal('200 yes');
    });

    it(`request_body returns ${status} if ${what} would otherwise receive a truncated body`, async () => {
      expect(await received(routes, chunked('too ', 'long'))).to.equal(
        status === 200 ? '200 no' : `${status} error ${status} [${cut}]`,
      );
    });
  }

  it('request_body returns 413 if templates would otherwise receive a truncated body', async () => {
    const page = {
      handler: 'static_response',
      headers: { 'Content-Type': ['text/html'] },
      body: '<{{placeholder "http.request.body"}}>',
    };
    const routes = [{ handle: [limit, { handler: 'templates' }, page] }];
    expect(await received(routes, chunked('sho', 'rt'))).to.equal('200 <short>');
    expect(await received(routes, chunked('too ', 'long'))).to.equal(`413 error 413 [${cut}]`);
  });

  it('request_body limits a body that was already buffered', async () => {
    const before = { match: [{ vars: { [body]: ['nothing'] } }], handle: [] };
    expect(await received([before, { handle: [limit, show('ran')] }], chunked('too ', 'long'))).to.equal(
      `413 error 413 [${cut}]`,
    );
  });
});
