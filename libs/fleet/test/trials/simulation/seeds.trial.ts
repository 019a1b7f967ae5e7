/** Runs the test suites with more seeds. */
process.env['SLUICE_TEST_SEEDS'] ??= '500';
await import('../../simulation/rollout.test.ts');
await import('../../simulation/simulation.test.ts');

export {};
