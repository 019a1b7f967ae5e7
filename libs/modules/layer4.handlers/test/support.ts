/** Runs servers of the `layer4` app with a single route. */
import type { Json, JsonObject } from '@sluice/base';
import { register as registerApp } from '@sluice/layer4-app';
import { register as registerMatchers } from '@sluice/layer4.matchers';
import { register as registerPolicies } from '@sluice/layer4.proxy';
import { MemoryStorage, registerStorage, serve, type TestServer } from '@sluice/testing';
import { register as registerTls } from '@sluice/tls-app';
import { register as registerLoaders } from '@sluice/tls.certificates';
import { register } from '../src/index.ts';

/** Starts a server that passes its connections through the given handlers. `apps` contains additional apps. */
export function handle(
  listen: string,
  handlers: Json,
  { server = {}, apps = {} }: { server?: JsonObject; apps?: JsonObject } = {},
): Promise<TestServer> {
  return serve(
    {
      storage: { module: 'memory' },
      apps: { layer4: { servers: { s: { listen: [listen], routes: [{ handle: handlers }], ...server } } }, ...apps },
    },
    {
      register: [
        registerApp,
        registerMatchers,
        registerPolicies,
        registerTls,
        registerLoaders,
        registerStorage(new MemoryStorage()),
        register,
      ],
    },
  );
}
