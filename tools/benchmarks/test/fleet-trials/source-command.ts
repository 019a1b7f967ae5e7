/** Command that runs Sluice from its sources, so that tests need no build. */
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

/** The command for trials. */
export const sourceCommand: readonly string[] = [process.execPath, '--conditions=@sluice/source', main];
