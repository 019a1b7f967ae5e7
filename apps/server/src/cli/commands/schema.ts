/** `sluice schema`. */
import { configSchema } from '@sluice/registry';
import { describedRegistry } from '../../configuration/described-registry.ts';

export interface SchemaOptions {
  readonly module?: readonly string[];
  readonly testCases?: boolean;
}

/** Prints the JSON Schema of the configuration or of test case files. */
export async function schema({ module, testCases }: SchemaOptions): Promise<number> {
  const printed =
    testCases === true
      ? (await import('../../test-cases/case-schema.ts')).caseFileSchema
      : configSchema(await describedRegistry(module));
  process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`);
  return 0;
}
