/** Starts `sluice lsp` and connects the editor to it. */
const { workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** The client that runs, if one does. */
let client;

/** Documents that are ours: Caddyfiles, and JSON that is called as configurations are. */
const documentSelector = [
  { language: 'caddyfile' },
  { language: 'json', pattern: '**/{sluice,caddy}*.json' },
  { language: 'json5', pattern: '**/{sluice,caddy}*.json5' },
];

/** Called by the editor when the first of these documents is opened. */
async function activate() {
  const settings = workspace.getConfiguration('sluice');
  const modules = settings.get('modules', []).flatMap((name) => ['--module', name]);
  const server = {
    command: settings.get('command', 'sluice'),
    args: ['lsp', ...modules],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient('sluice', 'Sluice', server, { documentSelector });
  await client.start();
}

/** Called by the editor when it leaves. */
async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
