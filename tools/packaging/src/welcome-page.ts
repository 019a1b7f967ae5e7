/**
 * Builds the public page that the Debian package and the image serve until a site is configured. The page explains the next steps on the
 * machine and sends no requests to the server. The page of `npm start`, in contrast, shows and changes the configuration. Both pages share
 * their style.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './workspace.ts';

/** Writes the page into a directory. Creates the directory. */
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
    if (part === undefined) throw new Error(`the welcome page of npm start has no ${place}`);
    return part;
  });
}
