import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { lines, through } from './support.ts';

const respond = (options: JsonObject): JsonObject => ({ handler: 'static_response', ...options });

describe('http.handlers.static_response', () => {
  const types: readonly [body: string, type: string][] = [
    ['hello', 'text/plain; charset=utf-8'],
    ['{"a":1}', 'application/json'],
    [' [1,2] ', 'application/json'],
    ['{}', 'text/plain; charset=utf-8'],
    ['{broken}', 'text/plain; charset=utf-8'],
    ['"text"', 'text/plain; charset=utf-8'],
    ['<html>', 'text/plain; charset=utf-8'],
  ];
  for (const [body, type] of types) {
    it(`static_response sends ${body} as ${type}`, async () => {
      const response = await through([respond({ body })]);
      expect(response).to.include({ status: 200, text: body });
      expect(lines(response)).to.deep.equal([`content-type: ${type}`]);
    });
  }

  const statuses: readonly [status: string | number | boolean | null, expected: number][] = [
    [418, 418],
    ['201', 201],
    ['{http.request.header.X-S}', 203],
    ['', 200],
    [null, 200],
    ['abc', 500],
    ['20x', 500],
    [99, 500],
    [1000, 500],
    [true, 500],
    ['{http.vars.none}', 500],
  ];
  for (const [status, expected] of statuses) {
    it(`static_response returns ${expected} for status_code ${JSON.stringify(status)}`, async () => {
      expect((await through([respond({ status_code: status })], { headers: { 'X-S': '203' } })).status).to.equal(
        expected,
      );
    });
  }

  it('static_response sets, replaces and removes fields, with placeholders in names and values', async () => {
    const set = { handler: 'headers', response: { set: { 'X-Old': ['1'], 'X-Kept': ['2'] } } };
    const response = await through(
      [
        set,
        respond({
          headers: {
            'X-{http.request.method}': ['{http.request.uri}', 'b'],
            'X-Old': [],
            'X-None': null,
            'X-U': ['{nope}'],
          },
        }),
      ],
      '/p?q',
    );
    expect(lines(response)).to.deep.equal(['x-kept: 2', 'x-get: /p?q', 'x-get: b', 'x-u: {nope}']);
  });

  it('static_response with abort closes the connection without a response', async () => {
    expect((await through([respond({ abort: true, body: 'x' })])).status).to.equal(0);
  });

  it('static_response with close closes the connection after the response', async () => {
    expect(lines(await through([respond({ close: true })]))).to.deep.equal(['connection: close']);
  });

  it('static_response with status 103 is followed by the response of the next handler', async () => {
    const response = await through([
      respond({ status_code: 103, headers: { Link: ['</a>'] } }),
      respond({ body: 'final' }),
    ]);
    expect(response.informational.map(({ status, headers }) => [status, headers.get('link')])).to.deep.equal([
      [103, '</a>'],
    ]);
    expect(response).to.include({ status: 200, text: 'final' });
  });

  it('static_response returns the status of the handled error', async () => {
    const errors = {
      routes: [
        { handle: [respond({ body: '{http.error.status_code} {http.error.status_text} {http.error.message}' })] },
      ],
    };
    const response = await through([{ handler: 'error', status_code: 404, error: 'gone {nope}' }], '/', { errors });
    expect(response).to.include({ status: 404, text: '404 Not Found gone {nope}' });
  });
});
