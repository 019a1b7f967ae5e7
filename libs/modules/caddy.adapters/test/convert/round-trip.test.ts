import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { adaptCaddyfile, convertDocument } from '@sluice/caddyfile';
import { isArray, isObject, type Json } from '@sluice/base';
import { standardRegistry } from '../standard-registry.ts';

const registry = standardRegistry();
const folder = new URL('../fixtures/caddyfile/', import.meta.url);
const cases = new URL('../../../../../tools/conformance/cases/', import.meta.url);

/** Minimum share of identical round trips. Increase it after improvements. */
const floor = 0.96;

async function adapt(text: string): Promise<Json> {
  if (text.replaceAll(/^\s*(?:#.*)?$/gm, '').trim() === '') return {};
  const { config } = await adaptCaddyfile(text, registry, { file: 'Caddyfile', environment: {} });
  return JSON.parse(JSON.stringify(config)) as Json;
}

/** Verifies that the reported differences of a conversion are complete and correct. */
async function checkTruth(document: Json, file: string): Promise<boolean> {
  const { text, verdict, differences } = await convertDocument(document, registry, 'Caddyfile');
  const again = await adapt(text);
  const isIdentical = isDeepStrictEqual(again, document);
  expect(verdict === 'identical', file).to.equal(isIdentical);
  expect(differences.length === 0, file).to.equal(isIdentical);
  for (const { path } of differences) expect(text, file).to.contain(`# ${path === '' ? 'the document' : path}`);
  if (verdict === 'same') expect(handlersIn(again).sort(), file).to.deep.equal(handlersIn(document).sort());
  return isIdentical;
}

/** Returns the handlers that are executed, regardless of how routes are nested. */
function handlersIn(value: Json): string[] {
  if (isArray(value)) return value.flatMap(handlersIn);
  if (!isObject(value)) return [];
  const own = typeof value['handler'] === 'string' && value['handler'] !== 'subroute' ? [value['handler']] : [];
  return [...own, ...Object.values(value).flatMap(handlersIn)];
}

/** Returns all configurations in a value, including those in JSON strings. Replaces the port placeholders of test cases. */
function configurationsIn(value: Json): Json[] {
  if (typeof value === 'string') return value.startsWith('{') ? configurationsIn(parsed(value)) : [];
  if (isArray(value)) return value.flatMap(configurationsIn);
  if (!isObject(value)) return [];
  return [...('apps' in value ? [value] : []), ...Object.values(value).flatMap(configurationsIn)];
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

describe('converting adapted documents', () => {
  it('convert() reproduces an adapted document, or reports the differences', async () => {
    let same = 0;
    let all = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const document = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Json;
      if (!isObject(document)) continue;
      all++;
      if (await checkTruth(document, file)) same++;
    }
    expect(same / all, `${same} of ${all} are the same`).to.be.at.least(floor);
  }).timeout(60_000);
});

describe('converting arbitrary JSON', () => {
  it('convert() returns correct results for all configurations in recorded API conversations', async () => {
    const documents = readdirSync(cases)
      .map((name) => readFileSync(new URL(name, cases), 'utf8').replaceAll(/\$\{\w+\}/g, '8080'))
      .flatMap((text) => configurationsIn(JSON.parse(text) as Json));
    expect(documents).to.have.length.above(100);
    const different = new Map(documents.map((each) => [JSON.stringify(each), each]));
    for (const [text, document] of [...different].slice(0, 80)) await checkTruth(document, text);
  }).timeout(120_000);

  const keys = [
    'apps',
    'http',
    'servers',
    'srv0',
    'listen',
    'routes',
    'match',
    'handle',
    'handler',
    'group',
    'terminal',
  ];
  const more = ['tls', 'automation', 'policies', 'subjects', 'issuers', 'module', 'logging', 'logs', 'admin', 'errors'];
  const texts = [
    'static_response',
    'subroute',
    'reverse_proxy',
    'vars',
    'acme',
    ':80',
    'a.example.com',
    '{',
    '"',
    '`',
    '#',
  ];
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      fc.oneof(fc.constantFrom<Json>(null, true, 0, -1, 80), fc.constantFrom(...texts), fc.string()),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys, ...more, '__proto__', ''), tie('json'), { maxKeys: 4 }),
    ),
  }));

  it('convert() never fails or returns an incorrect result for any JSON', () =>
    fc.assert(
      fc.asyncProperty(json, json, async (server, tls) => {
        const http = { servers: { srv0: isObject(server) ? { listen: [':80'], ...server } : server } };
        await checkTruth(JSON.parse(JSON.stringify({ apps: { http, tls } })) as Json, 'made up');
        await checkTruth(
          JSON.parse(
            JSON.stringify({ apps: { http: { servers: { srv0: { listen: [':80'], routes: server } } } } }),
          ) as Json,
          'made up',
        );
      }),
      { numRuns: 80, seed: 15 },
    )).timeout(120_000);
});
