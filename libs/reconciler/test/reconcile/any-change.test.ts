import { expect } from 'chai';
import fc from 'fast-check';
import { silentLogger, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { Runtime, shareSubtrees } from '@sluice/reconciler';
import {
  appToken,
  apps,
  defineModule,
  namespace,
  Registry,
  token,
  Type,
  type Context,
  type ModuleDescriptor,
} from '@sluice/registry';

/** Inputs of a module instance: all descendants at the time of its creation. */
type Description = Json;

const nodes = namespace<Description>('test.nodes');
const color = token<string>('color');
const paint = appToken<Description>('paint');

/** Counts module instances that have been provisioned but not disposed of. */
class Alive {
  readonly #counts = new Map<string, number>();

  track(label: string, context: Context): void {
    this.#add(label, 1);
    context.onDispose(() => this.#add(label, -1));
  }

  get labels(): string[] {
    return [...this.#counts].flatMap(([label, count]) => Array<string>(count).fill(label)).sort();
  }

  #add(label: string, change: number): void {
    const count = (this.#counts.get(label) ?? 0) + change;
    expect(count, label).to.be.at.least(0);
    this.#counts.set(label, count);
  }
}

/** Loads the children of a node with every method that the context provides. */
async function below(config: JsonObject, context: Context, alive: Alive): Promise<Description> {
  const own = typeof config['color'] === 'string' ? config['color'] : null;
  if (own !== null) context.provide(color, own);
  const element = async (node: JsonObject, place: Context): Promise<Description> => {
    alive.track('element', place);
    return below(node, place, alive);
  };
  const part = (key: string): Json | undefined => config[key];
  return {
    label: part('label') ?? null,
    seen: part('uses') === true ? (context.find(color) ?? 'none') : null,
    app: part('asks') === true ? await context.app(paint) : null,
    parts: part('parts') ? await context.loadInlineList(nodes, part('parts') as JsonArray, 'kind', 'parts') : null,
    items: part('items') ? [...(await context.list(part('items') as JsonArray, element, 'items')).items] : null,
    map: part('map') ? Object.fromEntries(await context.loadMap(nodes, part('map') as JsonObject, 'map')) : null,
    inner: part('inner') ? await context.structure(part('inner') as JsonObject, element, 'inner') : null,
  };
}

function descriptor(of: typeof nodes, name: string, alive: Alive): ModuleDescriptor {
  return defineModule(of, {
    name,
    help: 'Has others below it.',
    config: Type.Unsafe<JsonObject>({ type: 'object' }),
    provision(config, context) {
      alive.track(name, context);
      return below(config, context, alive);
    },
  });
}

function makeRuntime(alive: Alive): Runtime {
  const registry = new Registry();
  for (const name of ['a', 'b']) registry.add(descriptor(nodes, name, alive));
  for (const name of ['tree', 'paint']) registry.add(descriptor(apps as typeof nodes, name, alive));
  return new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
}

const { node } = fc.letrec<{ node: JsonObject; named: JsonObject }>((tie) => {
  const content = {
    label: fc.constantFrom('x', 'y'),
    color: fc.constantFrom('red', 'blue'),
    uses: fc.boolean(),
    asks: fc.boolean(),
    parts: fc.array(tie('named'), { maxLength: 3 }),
    items: fc.array(tie('node'), { maxLength: 4 }),
    map: fc.record({ a: tie('node'), b: tie('node') }, { requiredKeys: [] }),
    inner: tie('node'),
  };
  const leaf = fc.record({ label: content.label, uses: content.uses }, { requiredKeys: [] });
  return {
    node: fc.oneof({ maxDepth: 2 }, leaf, fc.record(content, { requiredKeys: [] })) as fc.Arbitrary<JsonObject>,
    named: fc.tuple(fc.constantFrom('a', 'b'), tie('node')).map(([kind, rest]) => ({ kind, ...rest })),
  };
});

/** Returns the value without the app's dependency on itself. */
const withoutAsking = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (key, each: Json) => (key === 'asks' ? false : each)) as Json;

describe('Reconciler with arbitrary configuration changes', () => {
  it('a configuration change creates the same components as a new server, and releases all other components @long', async () => {
    const document = fc
      .record({ tree: node, paint: node }, { requiredKeys: ['tree'] })
      .map(({ tree, paint: painted }) => ({
        apps: { tree, ...(painted && { paint: withoutAsking(painted) }) } as JsonObject,
      }));
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 2, maxLength: 6 }), fc.boolean(), async (documents, shared) => {
        const alive = new Alive();
        const runtime = makeRuntime(alive);
        let before: Json = null;
        for (const each of documents) {
          const next: Json = shared ? shareSubtrees(before, each) : each;
          runtime.commit(await runtime.prepare(next));
          await runtime.settled();
          const freshAlive = new Alive();
          const fresh = makeRuntime(freshAlive);
          fresh.commit(await fresh.prepare(each));
          for (const name of ['tree', 'paint'])
            expect(runtime.app(appToken(name))).to.deep.equal(fresh.app(appToken(name)));
          expect(alive.labels).to.deep.equal(freshAlive.labels);
          await fresh.close();
          before = next;
        }
        await runtime.close();
        expect(alive.labels).to.deep.equal([]);
      }),
      { numRuns: 150 },
    );
  });
});
