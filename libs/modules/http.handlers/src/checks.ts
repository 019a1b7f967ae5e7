/** Handler checks that are too small for separate files. They detect configurations that load but can't work. */
import { checkFolder, checkStatus } from '@sluice/http-app';
import { defineCheck, type ConfigCheck } from '@sluice/registry';
import { dialCheck, upstreamsCheck } from './reverse_proxy/checks.ts';

const statusCheck = defineCheck({
  name: 'status-code',
  help: 'Requests fail if a status code is not a number from 100 to 999.',
  modules: ['http.handlers.static_response', 'http.handlers.error'],
  check: checkStatus,
});

const rootCheck = defineCheck({
  name: 'missing-root',
  help: 'If the root directory does not exist, every file request fails with 404.',
  modules: ['http.handlers.file_server', 'http.handlers.vars', 'http.handlers.webdav'],
  check: (module, warn) => checkFolder(module, 'root', warn),
});

const templateRootCheck = defineCheck({
  name: 'missing-template-root',
  help: 'If the root directory does not exist, templates cannot include files.',
  modules: ['http.handlers.templates'],
  check: (module, warn) => checkFolder(module, 'file_root', warn),
});

/** All configuration checks in this package. */
export const checks: readonly ConfigCheck[] = [dialCheck, upstreamsCheck, statusCheck, rootCheck, templateRootCheck];
