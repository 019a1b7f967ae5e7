/** Command that runs Sluice from its sources, so that tests do not require a build. */
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

/** Command that trials use to start Sluice. */
export const sourceCommand: readonly string[] = [process.execPath, '--conditions=@sluice/source', main];
