/** Moves the "Unreleased" text in CHANGELOG.md to a release. */

/** Returns the changelog with a version heading above the unreleased changes. @param {string} text @param {string} version */
export function releasedChangelog(text, version) {
  const parts = text.split(/^## Unreleased$/m);
  if (parts.length !== 2) throw new Error('CHANGELOG.md must have one heading "## Unreleased"');
  const [before = '', after = ''] = parts;
  const [changes = ''] = after.split(/^## /m);
  const entry = changes.trim() === '' ? '\n\nNo notable changes.\n' : '';
  return `${before}## Unreleased\n\n## ${version}${entry}${after}`;
}
