import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** File names in the test are relative to the workspace. */
const root = new URL('../../../../', import.meta.url).href;

/** Returns a script that adapts a text in a separate process and prints the loaded files. */
const script = (text: string): string => `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url.replace(${JSON.stringify(root)}, '/')), next(url, context)) });
const { standardRegistry } = await import(${JSON.stringify(new URL('standard-registry.ts', import.meta.url).href)});
const { adaptConfig } = await import('@sluice/reconciler');
const registry = standardRegistry();
await registry.loadAll();
const before = loaded.length;
await adaptConfig(registry, 'caddyfile', ${JSON.stringify(text)});
const parts = /\\/(?:libs|dist)\\/(?:.*\\/)?([^/]+)\\/(caddyfile|describe|try-files)(?:\\.ts|\\.js|\\/)/;
console.log(JSON.stringify({ early: loaded.slice(0, before).filter((url) => parts.test(url)),
  late: loaded.slice(before).flatMap((url) => parts.exec(url)?.[1] ?? []) }));
`;

function loadedBy(text: string): { readonly early: readonly string[]; readonly late: readonly string[] } {
  const folder = new URL('.', import.meta.url);
  const args = ['--conditions=@sluice/source', '--input-type=module', '-e', script(text)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { readonly early: readonly string[]; readonly late: readonly string[] };
}

describe('code loading of the Caddyfile adapter', function () {
  this.timeout(60_000);

  it('the Caddyfile adapter loads only directives, options and modules that the Caddyfile uses @long', () => {
    const { early, late } = loadedBy(':80 {\n\tencode gzip\n\t@get path /y\n\thandle @get {\n\t\trespond hi\n\t}\n}\n');
    expect(
      early.filter((url) => /(?:caddyfile|describe)\.(?:ts|js)$/.test(url) && url.includes('/modules/')),
    ).to.deep.equal([]);
    expect([...new Set(late)].sort()).to.deep.equal(['encode', 'gzip', 'path', 'static_response', 'subroute']);
  });
});
