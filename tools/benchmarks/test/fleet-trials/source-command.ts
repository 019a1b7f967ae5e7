/** Our server, run from its sources: tests need no build. */
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

/** As trials start it. */
export const sourceCommand: readonly string[] = [process.execPath, '--conditions=@sluice/source', main];
