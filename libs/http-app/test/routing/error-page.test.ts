import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { HttpError, httpHandlers } from '@sluice/http-app';
import { defineModule, integer, options, string, type Registry } from '@sluice/registry';
import { serve } from '@sluice/testing';

function register(registry: Registry): void {
  registry.add(
    defineModule(httpHandlers, {
      name: 'fail',
      help: 'Fails.',
      config: options({ status: integer('Status.'), field: string('Field to set.') }),
      provision: ({ status, field }) => ({
        handle({ response }) {
          if (field != null) response.headers.set(field, '7');
          throw new HttpError(status ?? 500, '<b>secret</b>');
        },
      }),
    }),
  );
  registry.add(
    defineModule(httpHandlers, {
      name: 'say',
      help: 'Responds.',
      config: options({}),
      provision: () => ({ handle: ({ response }) => response.end('said') }),
    }),
  );
}

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function ask(
  server: JsonObject,
  headers: Readonly<Record<string, string>>,
  { app = {}, method = 'GET' }: { readonly app?: JsonObject; readonly method?: string } = {},
): Promise<{ status: number; type: string | undefined; text: string }> {
  const config = { apps: { http: { ...app, servers: { s: server } } } };
  const running = await serve(config, { register: [register] });
  try {
    const response = await running.request({ method, headers });
    const { status, text } = response;
    return { status, type: response.headers.get('content-type'), text };
  } finally {
    await running.close();
  }
}

const failing = { routes: [{ handle: [{ handler: 'fail', status: 404 }] }] };
const empty = { status: 404, type: undefined, text: '' };

describe('error pages', () => {
  it('error pages are sent to clients that accept HTML', async () => {
    const { status, type, text } = await ask(failing, { Accept: browser });
    expect([status, type]).to.deep.equal([404, 'text/html; charset=utf-8']);
    expect(text)
      .to.match(/<title>404 Not Found<\/title>/)
      .and.to.match(/Error [a-z0-9]{9}</);
    expect(text).to.not.include('secret');
  });

  const others: readonly (readonly [string, Record<string, string>])[] = [
    ['send no Accept header', {}],
    ['accept anything', { Accept: '*/*' }],
    ['accept JSON or text', { Accept: 'application/json, text/plain, */*' }],
    ['reject HTML', { Accept: 'text/html;q=0, */*' }],
  ];
  for (const [what, headers] of others) {
    it(`error bodies are empty for clients that ${what}`, async () => {
      expect(await ask(failing, headers)).to.deep.equal(empty);
    });
  }

  it('error responses to HEAD are empty', async () => {
    expect(await ask(failing, { Accept: browser }, { method: 'HEAD' })).to.include({ status: 404, text: '' });
  });

  it('error pages are not sent if a handler has set a body', async () => {
    const coded = { routes: [{ handle: [{ handler: 'fail', status: 404, field: 'content-encoding' }] }] };
    expect(await ask(coded, { Accept: browser })).to.include({ status: 404, text: '' });
  });

  it('error pages are sent only for errors that no error route handles', async () => {
    const said = { ...failing, errors: { routes: [{ handle: [{ handler: 'say' }] }] } };
    expect(await ask(said, { Accept: browser })).to.include({ text: 'said' });
    const silent = { ...failing, errors: { routes: [] } };
    expect((await ask(silent, { Accept: browser })).text).to.include('<title>404');
  });

  const switches: readonly (readonly [string, JsonObject, JsonObject, boolean])[] = [
    ['off for a server', { error_pages: 'off' }, {}, false],
    ['off for all servers', {}, { error_pages: 'off' }, false],
    ['off for all servers except one', { error_pages: 'on' }, { error_pages: 'off' }, true],
  ];
  for (const [what, own, app, shown] of switches) {
    it(`error pages can be turned ${what}`, async () => {
      const response = await ask({ ...failing, ...own }, { Accept: browser }, { app });
      if (shown) expect(response.text).to.include('<title>404');
      else expect(response).to.deep.equal(empty);
    });
  }
});
