/** Tests of the workspace rather than of a package. Packages do not contain the files that these tests read or run. */
export const aboutTheWorkspace: readonly string[] = [
  // The scripts of the workspace, which the README mentions.
  'apps/server/test/docs/readme.test.ts',
  // These tests build the examples, or a generated package, as projects of the workspace.
  'apps/server/test/trials/modules/generated.trial.ts',
  'apps/server/test/modules/guide.test.ts',
  'apps/server/test/modules/manifest.test.ts',
  'apps/server/test/modules/third-party.test.ts',
];
