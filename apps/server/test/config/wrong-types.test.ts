import { expect } from 'chai';
import { isProgrammingError } from '@sluice/registry';
import { serve, type TestServer } from '@sluice/testing';
import { isSluiceError, type Json } from '@sluice/base';

type Schema = Readonly<Record<string, unknown>>;

interface Place {
  readonly path: string;
  /** Returns a configuration that contains a value at the option's position. */
  readonly wrap: (value: Json) => Json;
}

/** Finds the positions of options in the configuration schema. Visits each shared definition once. */
class Places {
  readonly #root: Schema;
  readonly #seen = new Set<string>();

  constructor(root: Schema) {
    this.#root = root;
  }

  *below(schema: Schema, { path, wrap }: Place): Generator<Place> {
    const { $ref: ref } = schema;
    if (typeof ref === 'string') {
      if (this.#seen.has(ref)) return;
      this.#seen.add(ref);
      const keys = ref.split('/').slice(1);
      const target = keys.reduce<unknown>((at, key) => (at as Schema)[decodeURIComponent(key)], this.#root);
      if (isSchema(target)) yield* this.below(target, { path, wrap });
      return;
    }
    yield { path, wrap };
    for (const key of ['anyOf', 'oneOf', 'allOf'])
      for (const each of (schema[key] ?? []) as readonly Schema[]) yield* this.below(each, { path, wrap });
    for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
      yield* this.below(inner, {
        path: `${path}.${name}`,
        wrap: (value) => wrap({ ...fixed(schema, name), [name]: value }),
      });
    const { items, additionalProperties: other } = schema;
    if (isSchema(items)) yield* this.below(items, { path: `${path}[0]`, wrap: (value) => wrap([value]) });
    if (isSchema(other)) yield* this.below(other, { path: `${path}.x`, wrap: (value) => wrap({ x: value }) });
  }
}

/** Returns the properties that have a fixed value, such as the module name, except the given one. */
function fixed({ properties = {} }: Schema, except: string): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).flatMap(([name, inner]) =>
      inner['const'] === undefined || name === except ? [] : [[name, inner['const'] as Json]],
    ),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('values of the wrong JSON type', function () {
  this.timeout(120_000);
  let server: TestServer;
  before(async () => {
    server = await serve({ apps: { http: { servers: {} } } }, { register: [], standard: true });
  });
  after(() => server.close());

  const wrong: readonly Json[] = ['x', 5, -1.5, true, [], [[]], [null], ['x'], {}, { x: 'x' }];

  it('every option of every section and app rejects values of the wrong JSON type without an internal error', async () => {
    const schema = JSON.parse((await server.admin('/schema')).text) as Schema;
    const problems: string[] = [];
    let rejected = 0;
    for (const { path, wrap } of new Places(schema).below(schema, { path: '', wrap: (value) => value }))
      for (const value of wrong) {
        const error: unknown = await server.reconciler.load(wrap(value), { dryRun: true }).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error === null) continue;
        rejected++;
        let cause: unknown = error;
        while (cause instanceof Error && !isProgrammingError(cause) && cause.cause !== undefined) cause = cause.cause;
        if (!isSluiceError(error) || isProgrammingError(cause))
          problems.push(`${path} = ${JSON.stringify(value)}: ${String(error)} (${String(cause)})`);
      }
    process.stdout.write(`        ${rejected} values were rejected\n`);
    expect(problems.slice(0, 20)).to.deep.equal([]);
    expect(rejected).to.be.greaterThan(1000);
  });
});
