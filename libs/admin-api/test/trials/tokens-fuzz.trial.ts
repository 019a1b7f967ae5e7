/** Runs the test suite with ten times as many requests. */
process.env['SLUICE_TEST_REQUESTS'] ??= '10000';
await import('../tokens-fuzz.test.ts');

export {};
