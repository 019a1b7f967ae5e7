/** The executable: runs a command of the command line. Called by bin/sluice.js. */
import { runCommandLine } from './cli/program.ts';
import { collectChangesYoung, freeCompilationsAtOnce, keepYoungGenerationSmall } from './process/memory.ts';

collectChangesYoung();
keepYoungGenerationSmall();
freeCompilationsAtOnce();
await runCommandLine(process.argv.slice(2));
