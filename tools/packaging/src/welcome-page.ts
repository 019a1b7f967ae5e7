/**
 * The page that the Debian package and the image serve until there is a site. Unlike that of `npm start`, which shows the
 * configuration and changes it, it is for a server that all may reach: it says what to do on its machine, and asks the server for
 * nothing. Style and wave are those of the other page.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './workspace.ts';

/** Writes it into a folder, which is made. */
export function writeWelcomePage(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), welcomePage());
}

function welcomePage(): string {
  const other = readFileSync(join(workspaceRoot, 'apps/server/config/welcome/index.html'), 'utf8');
  const parts: Readonly<Record<string, string | undefined>> = {
    style: /<style>[^]*?<\/style>/.exec(other)?.[0],
    wave: /<svg[^]*?<\/svg>/.exec(other)?.[0],
  };
  const page = readFileSync(join(workspaceRoot, 'tools/packaging/welcome/index.html'), 'utf8');
  return page.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`the welcome page of npm start has nothing for ${place}`);
    return part;
  });
}
