/** Tests of the workspace itself. They cannot run against packages, which do not contain the files that these tests read or run. */
export const aboutTheWorkspace: readonly string[] = [
  // Test of the workspace scripts that the README mentions.
  'apps/server/test/docs/readme.test.ts',
  // Tests that build the examples, or a generated package, as projects of the workspace.
  'apps/server/test/trials/modules/generated.trial.ts',
  'apps/server/test/modules/guide.test.ts',
  'apps/server/test/modules/manifest.test.ts',
  'apps/server/test/modules/third-party.test.ts',
];
