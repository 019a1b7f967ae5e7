/** The executable: runs a command of the command line. Called by bin/sluice.js. */
import { runCommandLine } from './cli/program.ts';
import { collectChangesYoung, keepYoungGenerationSmall } from './process/memory.ts';

collectChangesYoung();
keepYoungGenerationSmall();
await runCommandLine(process.argv.slice(2));
