/** Tests that are of the workspace, and not of the code of a package: what they read or run is not packed. */
export const aboutTheWorkspace: readonly string[] = [
  // The scripts of the workspace, which the README names.
  'apps/server/test/docs/readme.test.ts',
  // They build the examples, or a package that the generator makes, as projects of the workspace.
  'apps/server/test/modules/generated.trial.ts',
  'apps/server/test/modules/guide.test.ts',
  'apps/server/test/modules/manifest.test.ts',
  'apps/server/test/modules/third-party.test.ts',
];
