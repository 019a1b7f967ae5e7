import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { adaptCaddyfile, convertDocument } from '@sluice/caddyfile';
import { isArray, isObject, type Json } from '@sluice/base';
import { standardRegistry } from '../standard-registry.ts';

const registry = standardRegistry();
const folder = new URL('../fixtures/caddyfile/', import.meta.url);

async function adapt(text: string): Promise<Json> {
  const { config } = await adaptCaddyfile(text, registry, { file: 'Caddyfile', environment: {} });
  return JSON.parse(JSON.stringify(config)) as Json;
}

/** What handlers run, in their order: whatever the routes are nested in. */
function handlersIn(value: Json): string[] {
  if (isArray(value)) return value.flatMap(handlersIn);
  if (!isObject(value)) return [];
  const own = typeof value['handler'] === 'string' && value['handler'] !== 'subroute' ? [value['handler']] : [];
  return [...own, ...Object.values(value).flatMap(handlersIn)];
}

describe('converting what adapters made', () => {
  it('gives back the same document, or says that it does not', async () => {
    let same = 0;
    let all = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const document = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Json;
      if (!isObject(document)) continue;
      all++;
      const { text, differences } = await convertDocument(document, registry, 'Caddyfile');
      const again = text.replaceAll(/^\s*(?:#.*)?$/gm, '').trim() === '' ? {} : await adapt(text);
      if (isDeepStrictEqual(again, document)) {
        same++;
        expect(text, file).to.not.contain('This file does not say');
      } else if (differences.length === 0) {
        expect(handlersIn(again).sort(), file).to.deep.equal(handlersIn(document).sort());
      } else {
        for (const { path } of differences) expect(text, file).to.contain(`# ${path === '' ? 'the document' : path}: `);
      }
    }
    expect(same / all, `${same} of ${all} are the same`).to.be.greaterThan(0.4);
  }).timeout(30_000);
});
