import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import { freePort, serve, type TestServer } from '@sluice/testing';
import { faults, misses, type Replacement } from './faults.ts';
import { documentRefactorings, textRefactorings, type HttpDocument } from './refactorings.ts';
import { caddyfileOf, files, hash, requests, type ClientRequest } from './site.ts';

interface Behavior {
  readonly recorded: number;
  readonly different: number;
  readonly undecided: number;
  readonly groups: readonly { summary: string; differences: object[]; examples: object[] }[];
  readonly undecided_because: readonly { reason: string; count: number; example: object }[];
}

describe('dry run of planned mistakes and refactorings', () => {
  let server: TestServer;
  let root: string;
  let caddyfile: string;
  let apps: JsonObject;

  const adapted = async (text: string): Promise<JsonObject> => {
    const response = await server.admin('/adapt', { body: text, headers: { 'content-type': 'text/caddyfile' } });
    if (response.status !== 200) throw new Error(response.text);
    return (response.json() as { result: { apps: JsonObject } }).result.apps;
  };

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'sluice-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    server = await serve({ apps: {} }, { register: [], standard: true });
    const [http, https] = [await freePort(), await freePort()];
    caddyfile = caddyfileOf({ http, https, root });
    apps = await adapted(caddyfile);
    const loaded = await server.admin('/config/apps', { method: 'PATCH', json: apps });
    if (loaded.status !== 200) throw new Error(loaded.text);
    const entries = requests.map((request) => entryOf(request, { http, https }));
    const imported = await server.admin('/samples', { json: { log: { entries } } });
    expect(imported.json()).to.deep.include({ imported: requests.length });
  });
  after(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  const planned = async (edit: readonly Replacement[]): Promise<Behavior> =>
    compared(await adapted(edit.reduce((text, each) => edited(text, each, root), caddyfile)));

  const compared = async (changed: Json): Promise<Behavior> => {
    const response = await server.admin('/config/apps?dry_run=behavior', { method: 'PATCH', json: changed });
    if (response.status !== 200) throw new Error(response.text);
    return (response.json() as { behavior: Behavior }).behavior;
  };

  it('a behavior comparison reports no differences for identical configurations', async () => {
    const behavior = await planned([]);
    expect(behavior).to.deep.include({ recorded: requests.length, different: 0, undecided: 0 });
  });

  for (const { title, edit, report } of faults)
    it(`a behavior comparison detects this fault: ${title}`, async () => {
      const { groups, undecided_because: reasons } = await planned(edit);
      const found = [
        ...groups.map(({ summary }) => summary),
        ...reasons.map(({ reason, count }) => `${count} undecided: ${reason}`),
      ];
      expect(
        found.some((text) => report.test(text)),
        found.join('\n'),
      ).to.equal(true);
    });

  for (const { title, edit } of misses)
    it(`a behavior comparison cannot detect this fault: ${title}`, async () => {
      expect(await planned(edit)).to.include({ different: 0, undecided: 0 });
    });

  it('a behavior comparison reports an additional site only for requests to the host of this site', async () => {
    const { groups, undecided } = await planned([
      ['\nwww.shop.test {', '\nnew.test {\n\trespond new\n}\n\nwww.shop.test {'],
    ]);
    expect(groups.map(({ summary }) => summary)).to.deep.equal([
      '4 generated requests to new.test/* get header content-type text/plain; charset=utf-8 and get 3 bytes instead of 0',
    ]);
    expect(undecided).to.equal(0);
  });

  const expectSame = ({ groups, undecided_because: reasons, recorded }: Behavior): void => {
    expect(recorded).to.equal(requests.length);
    expect([...groups.map(({ summary }) => summary), ...reasons.map(({ reason }) => reason)]).to.deep.equal([]);
  };

  for (const { title, edit } of textRefactorings)
    it(`a behavior comparison reports no differences for ${title}`, async () => expectSame(await planned(edit)));

  for (const [title, refactor] of Object.entries(documentRefactorings))
    it(`a behavior comparison reports no differences for ${title}`, async () => {
      const changed = structuredClone(apps);
      refactor(changed['http'] as unknown as HttpDocument);
      expect(JSON.stringify(changed)).to.not.equal(JSON.stringify(apps));
      expectSame(await compared(changed));
    });
});

function edited(text: string, [from, to]: Replacement, root: string): string {
  const [wanted = '', replacement = ''] = [from, to].map((each) =>
    each.replaceAll('ROOT', root).replaceAll('HASH', hash),
  );
  if (!text.includes(wanted)) throw new Error(`the configuration does not contain ${JSON.stringify(wanted)}`);
  return text.replace(wanted, () => replacement);
}

function entryOf(
  { url, method = 'GET', headers = {}, client = '192.0.2.1', bytes = 0, status = 200, upstream }: ClientRequest,
  { http, https }: { readonly http: number; readonly https: number },
): Json {
  return {
    request: {
      method,
      url,
      headers: [
        ...Object.entries(headers).map(([name, value]) => ({ name, value })),
        ...(bytes > 0 ? [{ name: 'content-length', value: String(bytes) }] : []),
      ],
      bodySize: bytes,
    },
    response: { status },
    _sluice: { client, port: url.startsWith('https:') ? https : http, upstream: upstream ?? null },
  };
}
