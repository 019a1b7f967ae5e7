/** Exit codes of `sluice test`. */

/** Exit code if a test case failed or the coverage is too low. */
export const failed = 1;

/** Exit code if the test cases or a configuration cannot be read, so that nothing was tested. */
export const unreadable = 2;
