import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Json } from '@sluice/module';
import { register } from '@sluice/module-hello';
import { fromCaddyfile, asCaddyfile } from '@sluice/testing';

/** Returns the handlers of a site with the given lines, in execution order. */
async function handlersOf(lines: string, options = ''): Promise<Json> {
  const { apps } = (await fromCaddyfile(`${options}:80 {\n${lines}\n}\n`, register)) as {
    readonly apps: {
      readonly http: { readonly servers: { readonly srv0: { readonly routes: { handle: Json[] }[] } } };
    };
  };
  return apps.http.servers.srv0.routes.flatMap(({ handle }) => handle);
}

describe('hello directive of a third-party package', () => {
  // docs/adr/0015 requires that one declaration suffices. The guides include this file.
  it('the hello directive is declared in ten lines or less', () => {
    const text = readFileSync(new URL('../src/caddyfile.ts', import.meta.url), 'utf8');
    expect(text.trimEnd().split('\n')).to.have.length.at.most(10);
  });

  it('the hello directive runs before respond regardless of its position', async () => {
    expect(await handlersOf('respond bye\nhello Ada')).to.deep.equal([
      { handler: 'hello', name: 'Ada' },
      { body: 'bye', handler: 'static_response' },
    ]);
  });

  it('the hello directive reads the name from a block or the global option', async () => {
    expect(await handlersOf('hello {\nname Bob\n}')).to.deep.equal([{ handler: 'hello', name: 'Bob' }]);
    expect(await handlersOf('hello', '{\nhello_name Eve\n}\n')).to.deep.equal([{ handler: 'hello', name: 'Eve' }]);
  });

  it('the hello directive reports the position of errors and is suggested for typos', async () => {
    const errorOf = (lines: string): Promise<string> => handlersOf(lines).then(String, (error: Error) => error.message);
    expect(await errorOf('hello {\nnmae Bob\n}')).to.contain("unrecognized subdirective 'nmae', at Caddyfile:3");
    expect(await errorOf('helo')).to.contain("did you mean 'hello'?");
  });

  it('sluice convert writes the hello directive for the hello handler', async () => {
    const routes = [{ handle: [{ handler: 'hello', name: 'Ada' }] }];
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':80'], routes } } } } };
    const converted = await asCaddyfile(document, register);
    expect(converted).to.include({ verdict: 'identical', text: ':80 {\n\thello Ada\n}\n' });
  });
});
