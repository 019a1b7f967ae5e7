/** Runs the test suites of generated cases with three times as many cases. */
process.env['SLUICE_TEST_FACTOR'] ??= '3';
for (const suite of ['convert', 'explain', 'test-cases', 'trial']) await import(`../${suite}.test.ts`);

export {};
