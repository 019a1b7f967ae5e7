/** The executable: runs a command of the command line. Called by bin/sluice.js. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommandLine } = await import('./cli/program.ts');
await runCommandLine(process.argv.slice(2));
