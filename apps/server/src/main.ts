/** The executable: runs a command of the command line. Called by bin/sluice.js. */
import './process/memory.ts';
import { runCommandLine } from './cli/program.ts';

await runCommandLine(process.argv.slice(2));
