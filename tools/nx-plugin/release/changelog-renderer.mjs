/** The entry of a release in the changelog: what stands under "Unreleased" in CHANGELOG.md, which people write. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@sluice/workspace';

export class UnreleasedChanges {
  #version;

  /** @param {{ changelogEntryVersion: string }} config */
  constructor({ changelogEntryVersion }) {
    this.#version = changelogEntryVersion;
  }

  /** Called by nx. */
  async render() {
    const [, unreleased = ''] = readFileSync(join(workspaceRoot, 'CHANGELOG.md'), 'utf8').split(/^## Unreleased$/m);
    const [text = ''] = unreleased.split(/^## /m);
    return `## ${this.#version}\n\n${text.trim() || 'No notable changes.'}\n`;
  }
}

// nx requires the file and takes what it gives.
export { UnreleasedChanges as 'module.exports' };
