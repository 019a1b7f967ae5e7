/** Checks which modules the threads of a server load at startup. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OutputChunk } from 'rolldown';
import { bundle } from '../src/bundle.ts';

/** Modules that a server with the handlers `static_response` and `reverse_proxy` imports, in all threads. */
const everyThread = [
  'libs/http-app/src/app.ts',
  'libs/tls-app/src/app.ts',
  'libs/modules/http.handlers/src/reverse_proxy/module.ts',
  'libs/modules/http.handlers/src/static_response/index.ts',
  'libs/modules/http.reverse_proxy/src/transport/http/index.ts',
];
const worker = [
  'apps/server/src/worker.ts',
  'apps/server/src/workers/traffic-thread.ts',
  'libs/http-app/src/listener/listener.ts',
  ...everyThread,
];
const controlThread = [
  'apps/server/src/main.ts',
  'apps/server/src/cli/program.ts',
  'apps/server/src/cli/commands/run.ts',
  'apps/server/src/serve.ts',
  'libs/admin-api/src/all-routes.ts',
  'libs/admin-api/src/app.ts',
  'libs/tls-app/src/automation/management.ts',
  'libs/tls-app/src/provision-automation.ts',
  ...everyThread,
];

/** Modules that no thread needs until a client or a configuration uses them. */
const unusedEverywhere =
  /\/admin-routes\.ts$|\/http-analysis\/src\/(?:explain|behavior|shadow)\/report|\/rollout\/src\/(?:judge|compare|steps\/rollout)\.ts$|\/admin-api\/src\/(?:proposals\/|policies\/check)|\/http-app\/src\/canary\/|\/reverse_proxy\/(?:dynamic-upstreams|slow-start|sse-keepalive|health\/active-check|queue\/queued-request)\.ts$|\/tls-app\/src\/identity\/|\/node_modules\/(?:debug|depd|ms|supports-color)\//;
/** Modules that only the control thread needs. */
const unusedInWorkers =
  /\/providers-app\/src\/(?!index\.ts)|\/rollout\/src\/(?!register\.ts)|\/admin-api\/src\/(?:endpoint\/(?!address\.ts)|access\/(?!provision\.ts)|loading\/|http\/)|\/tls-app\/src\/automation\/|\/http-observability\/src\/(?:stats|traces\/request-traces|samples\/request-samples|qlogs\/quic-log-store)/;
/** Modules that only traffic threads need. */
const unusedInControl =
  /\/http-app\/src\/(?:engine\/http[12]\/|listener\/listener\.ts)|\/http2\/src\/server-connection/;

describe('packaging: code that is loaded at startup', function () {
  this.timeout(120_000);
  let chunks: readonly OutputChunk[] = [];
  let folder = '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'));
    chunks = await bundle(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the output files that contain the modules, and all files that they import. */
  function filesOf(modules: readonly string[]): ReadonlySet<OutputChunk> {
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const files = new Set(
      modules.map((module) => {
        const file = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
        if (file === undefined) throw new Error(`no file of the bundle contains ${module}`);
        return file;
      }),
    );
    for (const { imports } of files)
      for (const name of imports) {
        const imported = byName.get(name);
        if (imported !== undefined) files.add(imported);
      }
    return files;
  }

  function modulesIn(files: ReadonlySet<OutputChunk>): readonly string[] {
    return [...files].flatMap(({ moduleIds }) => moduleIds);
  }

  it('workers do not load code of features that the configuration does not use', () => {
    const loaded = modulesIn(filesOf(worker));
    expect(loaded.filter((id) => unusedEverywhere.test(id) || unusedInWorkers.test(id))).to.deep.equal([]);
  });

  it('the control thread does not load code of features that the configuration does not use', () => {
    const loaded = modulesIn(filesOf(controlThread));
    expect(loaded.filter((id) => unusedEverywhere.test(id) || unusedInControl.test(id))).to.deep.equal([]);
  });

  it('each thread loads its code from a small number of files', () => {
    expect(filesOf(worker).size).to.be.below(120);
    expect(filesOf(controlThread).size).to.be.below(190);
  });

  it('the command `version` does not load code of the server', () => {
    const files = filesOf([
      'apps/server/src/main.ts',
      'apps/server/src/cli/program.ts',
      'apps/server/src/cli/commands/version.ts',
    ]);
    expect(modulesIn(files).filter((id) => /\/libs\/(?!base\/)/.test(id))).to.deep.equal([]);
    expect(files.size).to.be.below(30);
  });
});
