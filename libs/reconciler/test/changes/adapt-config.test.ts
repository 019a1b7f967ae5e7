import { expect } from 'chai';
import { maxDepth, SluiceError } from '@sluice/base';
import { configAdapters, type AdaptedConfig } from '@sluice/contracts';
import { adaptConfig, convertConfig, sourcesOf } from '@sluice/reconciler';
import { defineModule, options, Registry, registryToken } from '@sluice/registry';

/** Creates a registry with an adapter that calls a function and records when resources are released. */
function registryOf(adapt: (text: string) => unknown, released: string[] = []): Registry {
  const adapter = defineModule(configAdapters, {
    name: 'lines',
    help: 'A format of lines.',
    config: options({}),
    provision(_config, context) {
      context.onDispose(() => void released.push('lines'));
      return { adapt: (body) => adapt(String(body)) as AdaptedConfig };
    },
  });
  return new Registry().add(adapter);
}

async function failureOf(adapt: (text: string) => unknown, name = 'lines'): Promise<SluiceError> {
  const failure = await adaptConfig(registryOf(adapt), name, 'text').catch((error: unknown) => error);
  return failure as SluiceError;
}

describe('adaptConfig', () => {
  it('adaptConfig returns the result and warnings of the adapter, and releases the adapter', async () => {
    const released: string[] = [];
    const warnings = [{ file: '', line: 3, message: 'old' }];
    const registry = registryOf((text) => ({ config: { apps: { text } }, warnings }), released);
    expect(await adaptConfig(registry, 'lines', Buffer.from('a'))).to.deep.equal({
      config: { apps: { text: 'a' } },
      warnings,
    });
    expect(released).to.deep.equal(['lines']);
  });

  it('adaptConfig provisions the adapter in the control role, and gives it access to the registry', async () => {
    const seen: unknown[] = [];
    const registry = new Registry().add(
      defineModule(configAdapters, {
        name: 'lines',
        help: 'A format of lines.',
        config: options({}),
        provision(_config, context) {
          seen.push(context.roles, context.use(registryToken) === registry);
          return { adapt: () => ({ config: null, warnings: [] }) };
        },
      }),
    );
    await adaptConfig(registry, 'lines', '');
    expect(seen).to.deep.equal([{ control: true, traffic: false }, true]);
  });

  it('sourcesOf returns source locations if the adapter provides them', () => {
    const config = { apps: { text: 'a' } };
    const sources = sourcesOf({
      config,
      warnings: [],
      sources: { placeOf: () => ({ file: 'f', line: 2, column: 1 }) },
    });
    expect(sources?.placeOf(['apps', 'text'], config)).to.deep.equal({ file: 'f', line: 2, column: 1 });
    expect(sourcesOf({ config, warnings: [] })).to.equal(null);
  });

  it('adaptConfig releases an adapter that fails', async () => {
    const released: string[] = [];
    const registry = registryOf(() => {
      throw new Error('no');
    }, released);
    await adaptConfig(registry, 'lines', '').catch(() => undefined);
    expect(released).to.deep.equal(['lines']);
  });

  it('adaptConfig lists the available adapters if the requested adapter is unknown', async () => {
    const { code, status, message } = await failureOf(() => null, 'yaml');
    expect([code, status]).to.deep.equal(['ERR_ADAPTER_UNKNOWN', 400]);
    expect(message).to.equal('unknown config adapter "yaml"; available: lines');
    const none = await adaptConfig(new Registry(), 'yaml', '').catch((error: unknown) => error);
    expect((none as Error).message).to.equal('unknown config adapter "yaml"; available: none');
  });

  it('adaptConfig names the adapter in its errors, and does not wrap errors that have a location', async () => {
    const thrown = (error: unknown) => (): never => {
      throw error;
    };
    const plain = await failureOf(thrown(new Error('line 3: what?')));
    expect([plain.code, plain.status]).to.deep.equal(['ERR_ADAPTER', 400]);
    expect(plain.message).to.equal('adapting the configuration with lines: line 3: what?');
    const coded = await failureOf(thrown(Object.assign(new Error('no'), { code: 'ERR_ADAPTER' })));
    expect(coded.message).to.equal('adapting the configuration with lines: no');
    const other = await failureOf(thrown(new SluiceError('ERR_VALUE', 'no')));
    expect([other.code, other.message]).to.deep.equal(['ERR_ADAPTER', 'adapting the configuration with lines: no']);
    const own = new SluiceError('ERR_ADAPTER', 'line 3: what?');
    expect(await failureOf(thrown(own))).to.equal(own);
  });

  const notJson: [what: string, config: unknown, message: string][] = [
    ['undefined', { a: [undefined] }, 'a[0] is undefined'],
    ['Infinity', { a: { b: Number.POSITIVE_INFINITY } }, 'a.b is Infinity'],
    ['NaN', Number.NaN, 'the configuration is NaN'],
    ['a function', { a: Math.max }, 'a is function max'],
    ['a BigInt', { a: 1n }, 'a is 1'],
  ];
  for (const [what, config, message] of notJson) {
    it(`adaptConfig rejects ${what} and reports the path`, async () => {
      expect((await failureOf(() => ({ config, warnings: [] }))).message).to.include(message);
    });
  }

  it('adaptConfig accepts all JSON types up to the maximum depth', async () => {
    const nested = (depth: number): unknown => {
      let node: unknown = 1;
      for (let i = 0; i < depth; i++) node = [node];
      return { config: node, warnings: [] };
    };
    for (const config of [null, 'a', true, 0, [], {}])
      expect(
        (
          await adaptConfig(
            registryOf(() => ({ config, warnings: [] })),
            'lines',
            '',
          )
        ).config,
      ).to.deep.equal(config);
    const { config } = await adaptConfig(
      registryOf(() => nested(maxDepth)),
      'lines',
      '',
    );
    expect(config).to.be.an('array');
    expect((await failureOf(() => nested(maxDepth + 1))).message).to.include(`more than ${maxDepth} levels deep`);
  });
});

describe('convertConfig', () => {
  it('convertConfig returns null for an adapter that cannot convert, and releases the adapter', async () => {
    const released: string[] = [];
    const registry = registryOf(() => ({}), released);
    expect(await convertConfig(registry, 'lines', {})).to.equal(null);
    expect(released).to.deep.equal(['lines']);
  });

  it('convertConfig returns the result of the adapter, and releases the adapter', async () => {
    const released: string[] = [];
    const adapter = defineModule(configAdapters, {
      name: 'lines',
      help: 'A format of lines.',
      config: options({}),
      provision(_config, context) {
        context.onDispose(() => void released.push('lines'));
        return {
          adapt: () => ({ config: null, warnings: [] }),
          convert: async (document) => ({
            text: JSON.stringify(document),
            file: 'Lines',
            verdict: 'identical',
            differences: [],
          }),
        };
      },
    });
    const converted = await convertConfig(new Registry().add(adapter), 'lines', { a: 1 });
    expect(converted).to.deep.equal({ text: '{"a":1}', file: 'Lines', verdict: 'identical', differences: [] });
    expect(released).to.deep.equal(['lines']);
  });

  it('convertConfig rejects an unknown adapter', async () => {
    const failure = await convertConfig(new Registry(), 'lines', {}).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'ERR_ADAPTER_UNKNOWN', status: 400 });
  });
});
