/**
 * Tests that are of the workspace and not of the code of a package, by what they read or run: there is nothing of theirs in what is
 * packed.
 */
export const aboutTheWorkspace: readonly string[] = [];
