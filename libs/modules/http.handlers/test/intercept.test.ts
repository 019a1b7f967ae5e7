import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { request, withRoutes } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { lines, show, through } from './support.ts';

const respond = (options: JsonObject): JsonObject => ({ handler: 'static_response', ...options });
const intercept = (...entries: JsonObject[]): JsonObject => ({ handler: 'intercept', handle_response: entries });
const routes = (...handle: JsonObject[]): JsonObject => ({ routes: [{ handle }] });
const original = respond({ status_code: 404, body: 'original', headers: { 'X-U': ['u1', 'u2'] } });

describe('http.handlers.intercept', () => {
  const replaced: readonly [status: string | number, query: string, expected: number][] = [
    [418, '', 418],
    ['{http.request.uri.query.t}', '?t=299', 299],
    ['{http.request.uri.query.t}', '?t=x', 500],
    ['{http.request.uri.query.t}', '', 500],
  ];
  for (const [status, query, expected] of replaced) {
    it(`intercept returns ${expected} with the same body for status_code ${status} at /${query}`, async () => {
      const response = await through([intercept({ status_code: status }), original], `/${query}`);
      expect(response).to.include({ status: expected, text: 'original' });
      expect(lines(response)).to.include('x-u: u1');
    });
  }

  it('intercept ignores responses that do not match', async () => {
    const response = await through([intercept({ match: { status_code: [5] }, status_code: 418 }), original]);
    expect(response).to.include({ status: 404, text: 'original' });
  });

  it('intercept routes replace the response, and can use its original fields', async () => {
    const reported = show('{http.intercept.status_code} {http.intercept.header.x-u} {http.intercept.other}');
    const response = await through([intercept({ match: { status_code: [404] }, ...routes(reported) }), original]);
    expect(response).to.include({ status: 200, text: '404 u1,u2 {http.intercept.other}' });
    expect(lines(response)).to.include.members(['x-u: u1', 'x-u: u2']);
  });

  it('intercept removes the original Content-Length when routes replace the body', async () => {
    const sized = respond({ body: 'original', headers: { 'Content-Length': ['8'] } });
    const response = await through([intercept(routes(show('longer than the original'))), sized]);
    expect(response.text).to.equal('longer than the original');
    expect(response.headers.get('content-length')).to.equal(undefined);
  });

  it('intercept sends the original response if its routes write nothing', async () => {
    const marks = { handler: 'headers', response: { set: { 'X-I': ['{http.intercept.status_code}'] } } };
    const sized = respond({ status_code: 404, body: 'original', headers: { 'Content-Length': ['8'] } });
    const response = await through([intercept(routes(marks)), sized]);
    expect(response).to.include({ status: 404, text: 'original' });
    expect(lines(response)).to.include.members(['x-i: 404', 'content-length: 8']);
  });

  it('intercept uses the first matching response handler', async () => {
    const entries = [
      { match: { headers: { 'X-None': [] } }, ...routes(show('none')) },
      { match: { status_code: [4] }, ...routes(show('class')) },
      { match: { status_code: [404] }, ...routes(show('exact')) },
    ];
    expect((await through([intercept(...entries), original])).text).to.equal('class');
  });

  it('intercept gives routes precedence over status_code', async () => {
    const response = await through([intercept({ status_code: 410, ...routes(show('routed')) }), original]);
    expect(response).to.include({ status: 200, text: 'routed' });
  });

  it('intercept ignores errors of the next handler, and passes on errors of its own routes', async () => {
    const error = (status: number): JsonObject => ({ handler: 'error', status_code: status });
    const errors = { errors: { routes: [{ handle: [show('E{http.error.status_code}')] }] } };
    expect((await through([intercept(routes(show('seen'))), error(404)], '/', errors)).text).to.equal('E404');
    expect((await through([intercept(routes(error(409))), original], '/', errors)).text).to.equal('E409');
  });

  it('intercept handles responses in error routes', async () => {
    const config = withRoutes([{ handle: [{ handler: 'error', status_code: 503 }] }], {
      errors: {
        routes: [
          { handle: [intercept({ routes: [{ match: [], handle: [] }] }), respond({ body: 'kept', status_code: 418 })] },
        ],
      },
    });
    expect(await request(config, '/', { register: [register] })).to.include({ status: 418, text: 'kept' });
  });

  it('intercept treats a handler chain that writes nothing as an empty 200 response', async () => {
    expect(await through([intercept({ match: { status_code: [5] }, status_code: 418 })])).to.include({
      status: 200,
      text: '',
    });
  });
});
