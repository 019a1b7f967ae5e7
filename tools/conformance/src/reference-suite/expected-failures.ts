/** Tests of the reference's suite that fail here on purpose, each with its reason, which docs/differences.md has too. */
export const expectedFailures: ReadonlyMap<string, string> = new Map([]);
