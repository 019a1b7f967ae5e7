/** Entry point of the executable, called by bin/sluice.js. Runs a command. */
import { collectChangesYoung, freeCompilationsAtOnce, keepYoungGenerationSmall } from './process/memory.ts';

/** See `process/native-check.ts`. */
const nativeVariable = 'SLUICE_NATIVE';

if (process.env[nativeVariable] === 'test') await (await import('./process/native-self-test.ts')).runSelfTest();

collectChangesYoung();
keepYoungGenerationSmall();
freeCompilationsAtOnce();
const { runCommandLine } = await import('./cli/program.ts');
await runCommandLine(process.argv.slice(2));
