import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Registry, type Finding } from '@sluice/registry';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { lintFile } from '../../../src/cli/lint/lint-file.ts';
import { registerStandard } from '../../../src/register-standard.ts';
import { readCorpus } from '../../support/corpus.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { config, says, TestServer } from '../../support/server.ts';

/** A file with a mistake, and the findings that `sluice lint` reports for it. */
interface Linted {
  readonly file: string;
  readonly language: 'caddyfile' | 'json';
  readonly findings: readonly Finding[];
}

/** Mistakes that prevent loading. For these, `validate`, dry runs and editors show the load error and not the finding. */
const refused = ['DNS provider'];

/** Returns one mistake for each lint code. */
function oneForEach(): ReturnType<typeof readCorpus> {
  const seen = new Set<string>();
  return readCorpus(new URL('corpus/mistakes.txt', import.meta.url)).filter(({ title }) => {
    const [key = ''] = title.split(' ');
    const isNew = !seen.has(key) && !refused.some((each) => title.includes(each));
    return isNew && seen.add(key);
  });
}

describe('lint findings in all tools', function () {
  this.timeout(180_000);
  const linted: Linted[] = [];
  let sandbox: Sandbox;

  before(async () => {
    sandbox = new Sandbox();
    const registry = new Registry();
    registerStandard(registry);
    for (const [index, { language, text }] of oneForEach().entries()) {
      const file = await sandbox.write(`${index}/${language === 'json' ? 'sluice.json' : 'Caddyfile'}`, text);
      linted.push({ file, language, findings: (await lintFile({ file }, registry)).findings });
    }
    expect(linted).to.have.length.at.least(18);
  });
  after(() => sandbox.remove());

  it('sluice validate prints lint findings @long', async () => {
    for (const { file, findings } of linted) {
      const { stderr } = await sandbox.run(['validate', '--config', file]);
      const found = [...stderr.matchAll(/^warning: (.+?)(?: \(\S+:\d+\))?: .* \((SL\d{3}), /gm)].map(
        ([, path, code]) => `${code} ${path}`,
      );
      const expected = findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ code, path }) => `${code} ${path}`);
      expect(found.sort(), stderr).to.deep.equal(expected.sort());
    }
  });

  it('a dry run returns lint findings', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const own = await sandbox.write('own.json', config(admin, http, [says('hello')]));
    const server = await TestServer.start(sandbox, ['--config', own], admin, http);
    for (const { file, language, findings } of linted) {
      const type = language === 'json' ? 'application/json' : 'text/caddyfile';
      const { text } = await server.admin('/load?dry_run', {
        method: 'POST',
        headers: { 'Content-Type': type },
        text: readFileSync(file, 'utf8'),
      });
      const { warnings = [] } = JSON.parse(text) as { warnings?: Finding[] };
      const found = warnings.filter(({ code }) => code !== undefined).map(({ code, path }) => `${code} ${path}`);
      expect(found.sort(), text).to.deep.equal(findings.map(({ code, path }) => `${code} ${path}`).sort());
    }
  });

  it('the language server reports lint findings on the same lines', async () => {
    const { child } = sandbox.start(['lsp', '--stdio'], { keepOpen: true });
    if (child.stdout === null || child.stdin === null) return expect.fail('has no streams');
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    let heard: (published: PublishDiagnosticsParams) => void = () => undefined;
    connection.onNotification('textDocument/publishDiagnostics', (published: PublishDiagnosticsParams) =>
      heard(published),
    );
    connection.listen();
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    for (const { file, language, findings } of linted) {
      const uri = `file://${file}`;
      const expected = findings.map(({ code, place }) => `${code} ${place?.line}`).sort();
      const same = new Promise<void>((resolve) => {
        heard = (published) => {
          const found = published.diagnostics
            .filter(({ code }) => /^SL\d{3}$/.test(String(code)))
            .map(({ code, range }) => `${code} ${range.start.line + 1}`);
          if (published.uri === uri && String(found.sort()) === String(expected)) resolve();
        };
      });
      const textDocument = { uri, languageId: language, version: 1, text: readFileSync(file, 'utf8') };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
      const ended = new Promise((_, reject) =>
        setTimeout(() => reject(new Error(`not in the editor: ${file} ${String(expected)}`)), 60_000).unref(),
      );
      await Promise.race([same, ended]);
    }
    connection.dispose();
  });
});
