/** Child process that tests the native bindings. A crash therefore does not affect the server. */
import { writeSync } from 'node:fs';
import { messageOf } from '@sluice/base';
import { selfTest } from '@sluice/native';

const standardError = 2;

/** Tests the native bindings. Exits with 0 if all work, otherwise with 1 and the reason on standard error. */
export async function runSelfTest(): Promise<never> {
  try {
    await selfTest();
    process.exit(0);
  } catch (error) {
    writeSync(standardError, messageOf(error));
    process.exit(1);
  }
}
