import { expect } from 'chai';
import { register } from '@sluice/module-hello';
import { request, withRoutes } from '@sluice/testing';

describe('http.handlers.hello', () => {
  const ask = (options: object, what = '/') =>
    request(withRoutes([{ handle: [{ handler: 'hello', ...options }] }]), what, { register: [register] });

  it('the hello handler greets the world', async () => {
    const response = await ask({});
    expect(response).to.include({ status: 200, text: 'Hello, world!\n' });
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
  });

  it('the hello handler expands placeholders in the name', async () => {
    expect(await ask({ name: '{http.request.uri.query.you}' }, '/?you=Ada')).to.include({ text: 'Hello, Ada!\n' });
  });

  it('the hello handler rejects unknown options', async () => {
    const error = await ask({ nmae: 'Ada' }).catch((reason: unknown) => reason);
    expect(String(error)).to.include('routes[0].handle[0]').and.include('unknown key "nmae" of http.handlers.hello');
  });
});
