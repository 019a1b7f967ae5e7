/** Checks of handlers that are too small for a file of their own: what loads and cannot work. */
import { checkFolder, checkStatus } from '@sluice/http-app';
import { defineCheck, type ConfigCheck } from '@sluice/registry';
import { isObject, own } from '@sluice/base';
import { valueAt } from '@sluice/engine';
import { dialCheck, upstreamsCheck } from './reverse_proxy/checks.ts';

const statusCheck = defineCheck({
  name: 'status-code',
  help: 'A status that is not a number from 100 to 999 makes requests fail.',
  modules: ['http.handlers.static_response', 'http.handlers.error'],
  check: checkStatus,
});

const rootCheck = defineCheck({
  name: 'missing-root',
  help: 'Files of a folder that is not there are not found.',
  modules: ['http.handlers.file_server', 'http.handlers.vars'],
  check: (module, warn) => checkFolder(module, 'root', warn),
});

const templateRootCheck = defineCheck({
  name: 'missing-template-root',
  help: 'Templates cannot include files of a folder that is not there.',
  modules: ['http.handlers.templates'],
  check: (module, warn) => checkFolder(module, 'file_root', warn),
});

const namedRouteCheck = defineCheck({
  name: 'unknown-named-route',
  help: 'A handler that invokes a route that its server does not have makes requests fail.',
  modules: ['http.handlers.invoke'],
  check: ({ node, path, document }, warn) => {
    const server = path.slice(0, 4);
    const routes = valueAt(document, [...server, 'named_routes']);
    const name = isObject(node) ? (own(node, 'name') ?? '') : '';
    if (typeof name !== 'string' || (isObject(routes) && Object.hasOwn(routes, name))) return;
    const known = isObject(routes) ? Object.keys(routes).join(', ') : '';
    warn(`the server has no named route ${JSON.stringify(name)}; it has ${known || 'none'}`, 'name');
  },
});

/** All checks of this package. */
export const checks: readonly ConfigCheck[] = [
  dialCheck,
  upstreamsCheck,
  statusCheck,
  rootCheck,
  templateRootCheck,
  namedRouteCheck,
];
