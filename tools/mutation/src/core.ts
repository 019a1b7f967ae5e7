/**
 * The packages that everything stands on, and how many of their mutants the tests of the package itself must kill, in
 * percent. A floor is a little below what was measured with seeds that the tests were not written for.
 */
export const core: Readonly<Record<string, number>> = {
  'libs/base': 85,
  'libs/registry': 85,
  'libs/contracts': 85,
  'libs/reconciler': 85,
  'libs/threads': 85,
  'libs/telemetry': 85,
  'libs/http1': 85,
  'libs/http2': 85,
  'libs/module': 85,
};

/** The floor of other packages, and of all together. */
export const defaultFloor = 85;
