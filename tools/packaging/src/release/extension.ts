/**
 * Builds the Visual Studio Code extension as a VSIX file. The extension bundles its library, because VS Code does not install dependencies.
 */
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { rolldown } from 'rolldown';
import { packageFolders } from '../bill-of-materials.ts';
import { manifestIdentity } from '../identity.ts';
import { licensesName } from '../npm-package.ts';
import { thirdPartyLicenses } from '../licenses/third-party-licenses.ts';
import { readJson, workspaceRoot } from '../workspace.ts';

const source = join(workspaceRoot, 'editors/vscode');

/** Builds the VSIX file in a directory. Returns the path of the file. */
export async function makeExtension(folder: string, version: string): Promise<string> {
  const stage = join(folder, 'vscode');
  const file = join(folder, `sluice-vscode-${version}.vsix`);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const build = await rolldown({
    cwd: workspaceRoot,
    input: join(source, 'extension.js'),
    platform: 'node',
    external: ['vscode'],
  });
  const { output } = await build.write({
    file: join(stage, 'extension.js'),
    format: 'cjs',
    minify: true,
    comments: { legal: false },
  });
  await build.close();
  for (const name of ['README.md', 'language-configuration.json', 'syntaxes'])
    cpSync(join(source, name), join(stage, name), { recursive: true });
  copyFileSync(join(workspaceRoot, 'LICENSE'), join(stage, 'LICENSE'));
  const chunks = output.filter((each) => each.type === 'chunk');
  const bundled = packageFolders(chunks).filter((each) => !each.endsWith('/@node-rs/bcrypt'));
  writeFileSync(join(stage, licensesName), thirdPartyLicenses(bundled));
  const { dependencies: _, ...manifest } = readJson(join(source, 'package.json')) as ExtensionManifest & {
    readonly dependencies: object;
  };
  writeFileSync(
    join(stage, 'package.json'),
    JSON.stringify({ ...manifest, version, ...manifestIdentity('editors/vscode') }, null, 2),
  );
  writeFileSync(join(stage, 'extension.vsixmanifest'), vsixManifest(manifest, version));
  writeFileSync(join(stage, '[Content_Types].xml'), contentTypes);
  const entries = globSync('**/*', { cwd: stage }).filter((name) => statSync(join(stage, name)).isFile());
  const archive = entries.sort().map((name) => {
    const isAbout = name === 'extension.vsixmanifest' || name === '[Content_Types].xml';
    return [isAbout ? name : `extension/${name}`, readFileSync(join(stage, name))] as const;
  });
  // The fixed time makes the archive reproducible. 1980 is the earliest year that the zip format supports.
  writeFileSync(file, zipSync(Object.fromEntries(archive), { level: 9, mtime: new Date(1980, 0, 1) }));
  rmSync(stage, { recursive: true });
  return file;
}

interface ExtensionManifest {
  readonly name: string;
  readonly publisher: string;
  readonly displayName: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly engines: { readonly vscode: string };
}

/** Returns the VSIX manifest (https://github.com/microsoft/vscode-vsce), derived from the extension's package.json. */
function vsixManifest(manifest: ExtensionManifest, version: string): string {
  const { name, publisher, displayName, description, categories, engines } = manifest;
  const asset = (type: string, path: string): string =>
    `    <Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true" />`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Categories>${categories.join(',')}</Categories>
    <License>extension/LICENSE</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
${[asset('Code.Manifest', 'package.json'), asset('Services.Content.Details', 'README.md'), asset('Services.Content.License', 'LICENSE')].join('\n')}
  </Assets>
</PackageManifest>
`;
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${['json', 'js', 'md', 'txt', 'vsixmanifest']
  .map(
    (name) => `  <Default Extension=".${name}" ContentType="${name === 'json' ? 'application/json' : 'text/plain'}" />`,
  )
  .join('\n')}
  <Override PartName="/extension/LICENSE" ContentType="text/plain" />
</Types>
`;
