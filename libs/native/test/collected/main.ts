/** Runs the self-test of the bindings as often as the argument says. Started by `../memory-safety.test.ts`. */
import { selfTest } from '@sluice/native';

for (let i = Number(process.argv[2]); i > 0; i--) await selfTest();
