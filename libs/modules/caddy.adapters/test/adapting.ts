/** What the tests of all adapters ask of them. */
import { expect } from 'chai';
import fc from 'fast-check';
import { register } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import type { AdaptedConfig } from '@sluice/contracts';

/** The adapters of the package. */
export const registry: Registry = new Registry().use(register);

/** One adapter, as the server uses it. */
export interface TestAdapter {
  /** Reads a text, which is said to come from `file`. */
  adapt(text: string | Buffer, file?: string): Promise<AdaptedConfig>;
  /** The error that reading a text ends with. */
  errorOf(text: string): Promise<{ message: string; status: number }>;
  /** Expects of texts put together of such pieces that each has a configuration or an error of status 400. */
  expectResponses(piece: fc.Arbitrary<string>): Promise<void>;
}

/** Finds the adapter of a name. */
export function adapterOf(name: string): TestAdapter {
  const adapt = (text: string | Buffer, file?: string): Promise<AdaptedConfig> =>
    adaptConfig(registry, name, text, file === undefined ? {} : { options: { file } });
  return {
    adapt,
    errorOf: (text) =>
      adapt(text).then(
        () => expect.fail('accepted it'),
        (error: { message: string; status: number }) => error,
      ),
    expectResponses: (piece) =>
      fc.assert(
        fc.asyncProperty(fc.array(piece), async (parts) => {
          const response = await adapt(parts.join('')).catch((error: unknown) => error);
          expect(response).to.satisfy((it: object) => 'config' in it || ('status' in it && it.status === 400));
        }),
        { numRuns: 500 },
      ),
  };
}
