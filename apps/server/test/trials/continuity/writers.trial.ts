/** Runs the test suite with ten times as many changes. */
process.env['SLUICE_TEST_CHANGES'] ??= '10000';
await import('../../continuity/writers.test.ts');

export {};
