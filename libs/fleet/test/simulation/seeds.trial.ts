/** Runs the same suites with more seeds. */
process.env['SLUICE_TEST_SEEDS'] ??= '500';
await import('./rollout.test.ts');
await import('./simulation.test.ts');

export {};
