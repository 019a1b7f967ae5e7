/** `sluice upgrade`: lists packages that have newer versions. `--exec` replaces a running server process with the installed version. */
import { isObject, own, type Json } from '@sluice/base';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { CommandError } from '../../failure.ts';
import { npm } from '../npm/npm.ts';
import { listedPackages } from '../npm/package-list.ts';
import { version } from '../../version.ts';

/** npm package that users install (tools/packaging). */
const server = '@sluice/cli';

export interface UpgradeOptions {
  readonly exec?: boolean;
  readonly address?: string;
}

export async function upgrade({ exec, address }: UpgradeOptions): Promise<number> {
  return exec === true ? await takeOver(address) : await printNewer();
}

/** Replaces a running server process. Resolves when the new process serves requests. */
async function takeOver(given: string | undefined): Promise<number> {
  const address = adminAddress(given, null);
  const { pid } = JSON.parse(await callAdmin({ address, method: 'POST', path: '/upgrade' })) as { pid: number };
  process.stdout.write(`the server at ${address} handed over to process ${pid}\n`);
  return 0;
}

/** Prints a line for the server and for each module package that has a newer version. Also prints the installation command. */
async function printNewer(): Promise<number> {
  const { code, stdout } = await npm('view', [server, 'version']);
  const latest = stdout.trim();
  if (code !== 0 || latest === '') throw new CommandError(`npm returned no latest version of ${server}`);
  const how = latest === version ? 'the newest' : `latest version is ${latest}: npm install -g ${server}@${latest}`;
  process.stdout.write(`sluice ${version}: ${how}\n`);
  process.stdout.write(listedPackages().length === 0 ? 'no module packages are installed\n' : await newerPackages());
  return 0;
}

async function newerPackages(): Promise<string> {
  // `npm outdated` exits with 1 if there are newer versions.
  const { stdout } = await npm('outdated', ['--json']);
  const outdated = parse(stdout);
  const lines = Object.entries(outdated).flatMap(([name, entry]) => {
    const [current, latest] = ['current', 'latest'].map((key) => (isObject(entry) ? own(entry, key) : undefined));
    if (typeof latest !== 'string' || current === latest) return [];
    const now = typeof current === 'string' ? current : 'not installed';
    return `${name} ${now} -> ${latest}: sluice remove-package ${name} && sluice add-package ${name}@${latest}\n`;
  });
  return lines.length === 0 ? 'all module packages are up to date\n' : lines.join('');
}

function parse(text: string): Readonly<Record<string, Json>> {
  let content: Json = {};
  try {
    content = JSON.parse(text.trim() === '' ? '{}' : text) as Json;
  } catch (error) {
    throw new CommandError('npm outdated returned invalid JSON; see its messages above', error);
  }
  const problem = isObject(content) ? own(content, 'error') : undefined;
  if (!isObject(content) || (isObject(problem) && 'code' in problem))
    throw new CommandError('npm outdated failed; see its messages above');
  return content;
}
