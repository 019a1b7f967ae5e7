/** Common assertions for all adapters. */
import { expect } from 'chai';
import fc from 'fast-check';
import { register } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import type { AdaptedConfig } from '@sluice/contracts';

export const registry: Registry = new Registry().use(register);

/** An adapter as the server uses it. */
export interface TestAdapter {
  adapt(text: string | Buffer, file?: string): Promise<AdaptedConfig>;
  errorOf(text: string): Promise<{ message: string; status: number }>;
  /** Asserts that every concatenation of generated pieces yields either a configuration or an error with status 400. */
  expectResponses(piece: fc.Arbitrary<string>): Promise<void>;
}

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
