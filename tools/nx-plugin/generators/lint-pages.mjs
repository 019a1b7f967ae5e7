/** Generates docs/reference/lint from the descriptions of the checks. It contains a page for each `sluice lint` check. */

/** @typedef {import('@sluice/registry').LintCheck} LintCheck */
/** @typedef {import('@sluice/registry').LintExample} LintExample */

const begin = '<!-- Generated from the code by `npm run docs`. To change this page, edit the help of the check. -->';

/** @param {LintExample} example */
function fence({ language, text }) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Formats the page of a lint check. @param {LintCheck} check */
export function lintPage({ code, name, severity, summary, details, bad, good }) {
  return [
    begin,
    `# ${code}: ${name}`,
    `${summary} Severity: ${severity}.`,
    details,
    '## Found',
    fence(bad),
    '## Right',
    fence(good),
    '## If it is intentional',
    `Give the reason in a comment on the line before: \`# lint ignore ${code}: the reason\`. For formats without comments, see the [guide](../../guide/lint.md).`,
  ].join('\n\n');
}

/** Formats the index of all lint check pages. @param {readonly LintCheck[]} checks */
export function lintIndex(checks) {
  const rows = checks.map(
    ({ code, name, severity, summary }) => `| [${code}](${code}.md) | ${name} | ${severity} | ${summary} |`,
  );
  return [
    begin,
    '# Lint checks',
    'Findings that `sluice lint`, dry runs, `sluice validate` and editors report. The [guide](../../guide/lint.md) describes how to use the linter.',
    ['| Code | Name | Severity | Finding |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}
