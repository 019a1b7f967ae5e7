/** Check for `http.matchers.file`. */
import { checkFolder } from '@sluice/http-app';
import { defineCheck } from '@sluice/registry';

/** If the root directory doesn't exist, warns that the matcher never matches. */
export const fileRootCheck = defineCheck({
  name: 'missing-matcher-root',
  help: 'Warns if the root directory of a `file` matcher does not exist. Such a matcher never matches.',
  modules: ['http.matchers.file'],
  check: (module, warn) => checkFolder(module, 'root', warn),
});
