/** Runs the test suite with more connections and changes. */
process.env['SLUICE_TEST_CONNECTIONS'] ??= '10000';
process.env['SLUICE_TEST_CHANGES'] ??= '200';
await import('../../layer4/continuity.test.ts');

export {};
