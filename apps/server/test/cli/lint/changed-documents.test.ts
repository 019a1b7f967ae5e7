import { expect } from 'chai';
import fc from 'fast-check';
import { adaptConfig, addAt, removeAt, replaceAt, getAt } from '@sluice/reconciler';
import { isArray, isObject, silentLogger, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { lint, loadLintChecks, Registry } from '@sluice/registry';
import { registerStandard } from '../../../src/register-standard.ts';

const registry = new Registry();
registerStandard(registry);

/** Returns the bad and good examples from all lint pages. */
async function documentsOfPages(): Promise<Json[]> {
  const documents: Json[] = [];
  for (const { bad, good } of await loadLintChecks(registry))
    for (const { language, text } of [bad, good])
      documents.push(
        language === 'json' ? (JSON.parse(text) as Json) : (await adaptConfig(registry, 'caddyfile', text)).config,
      );
  return documents;
}

/** Merges the servers of several documents into one. */
function joined(documents: readonly Json[]): Json {
  const servers: Record<string, Json> = {};
  let others: JsonObject = {};
  for (const [index, document] of documents.entries()) {
    const apps = isObject(document) ? document['apps'] : undefined;
    const http = isObject(apps) ? apps['http'] : undefined;
    const own = isObject(http) ? http['servers'] : undefined;
    for (const [name, server] of Object.entries(isObject(own) ? own : {})) servers[`${name}${index}`] = server;
    if (isObject(apps)) others = { ...others, ...apps };
  }
  return { apps: { ...others, http: { servers } } };
}

interface Choice {
  readonly kind: 'remove' | 'copy' | 'move' | 'narrow' | 'widen' | 'end';
  readonly from: number;
  readonly to: number;
}

const choices: fc.Arbitrary<Choice> = fc.record({
  kind: fc.constantFrom('remove', 'copy', 'move', 'narrow', 'widen', 'end'),
  from: fc.nat(1000),
  to: fc.nat(1000),
});

/** Returns the paths of all routes in a document, including nested routes. */
function routesIn(node: Json, path: ConfigPath = []): ConfigPath[] {
  const isList = isArray(node) && ['routes', 'handle_response'].includes(path.at(-1) ?? '');
  return Object.entries(typeof node === 'object' && node !== null ? node : {}).flatMap(([key, value]) => {
    const there = [...path, key];
    return [...(isList ? [there] : []), ...routesIn(value, there)];
  });
}

function edited(document: Json, { kind, from, to }: Choice): Json {
  const routes = routesIn(document);
  const at = routes[from % Math.max(routes.length, 1)];
  const other = routes[to % Math.max(routes.length, 1)];
  if (at === undefined || other === undefined) return document;
  const route = getAt(document, at) as JsonObject;
  if (kind === 'remove') return removeAt(document, at);
  if (kind === 'copy') return addAt(document, other, route);
  if (kind === 'move') {
    // Skips pairs in which one route is nested in the other, because they cannot be swapped.
    if (`${at.join('/')}/`.startsWith(`${other.join('/')}/`) || `${other.join('/')}/`.startsWith(`${at.join('/')}/`))
      return document;
    return replaceAt(replaceAt(document, at, getAt(document, other) ?? null), other, route);
  }
  if (kind === 'narrow')
    return replaceAt(document, at, { ...route, match: [{ host: ['a.example.com'], path: ['/api/*'] }] });
  if (kind === 'end') return replaceAt(document, at, { ...route, terminal: true });
  const { match: _, ...wide } = route;
  return replaceAt(document, at, wide);
}

describe('lint results for changed documents', () => {
  it('incremental lint returns the same findings as a full lint, regardless of the order of changes', async function () {
    this.timeout(60_000);
    const pages = await documentsOfPages();
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(pages.length - 1), { minLength: 2, maxLength: 4 }),
        fc.array(choices, { minLength: 1, maxLength: 6 }),
        async (chosen, edits) => {
          let document = joined(chosen.map((index) => pages[index] as Json));
          for (const edit of edits) {
            document = edited(document, edit);
            const found = await lint(registry, document, silentLogger);
            expect(found).to.deep.equal(await lint(registry, structuredClone(document), silentLogger));
            for (const { code } of found) seen.add(code ?? '');
          }
        },
      ),
      { numRuns: 80 },
    );
    // Ensures that the documents have findings, because the test would otherwise prove nothing.
    expect(seen.size).to.be.greaterThan(25);
  });
});
