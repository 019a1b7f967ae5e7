import { expect } from 'chai';
import { request, withRoutes } from '@sluice/testing';
import { register } from '../src/greet.ts';

/** Tests the module that README.md shows. */
describe('http.handlers.greet', () => {
  for (const [options, text] of [
    [{}, 'Hello, world!\n'],
    [{ name: '{http.request.host}' }, 'Hello, localhost!\n'],
  ] as const) {
    it(`greet responds with ${JSON.stringify(text)} for ${JSON.stringify(options)}`, async () => {
      const config = withRoutes([{ handle: [{ handler: 'greet', ...options }] }]);
      const response = await request(config, '/', { register: [register] });
      expect(response).to.include({ status: 200, text });
    });
  }
});
