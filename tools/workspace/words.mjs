/**
 * Finds words in sources, tests and docs that should be replaced by the terms of the field (ARCHITECTURE, "Words"), so that searches for
 * the terms succeed and each thing has one name. Runs in npm test.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workspaceRoot } from './packages.mjs';

/** Words to avoid, and their replacements. Also applies to parts of identifiers. */
const words = /** @type {const} */ ([
  [/\b(?:nobody|somebody|anybody)\b/, '"no one", or name who'],
  [/\bhonest(?:ly)?\b/i, 'what is meant, without it'],
  [/\banew\b/, '"again"'],
  [/\bfigures\b/i, '"metrics", "numbers"'],
  [/\btold apart\b/, '"distinguished"'],
  [/(?<![Tt]here )\b(?:is|are) no (?!longer\b|more\b|one\b)[\w"'`$]/, '"is not a"'],
]);

/** Files that may contain such a word, by path prefix, with the reason. @type {Readonly<Record<string, string>>} */
const exceptions = {
  'apps/server/test/metrics/conversation.json': 'an id that is not there',
  'tools/mutation/equivalents/': 'reasons that quote code',
  'tools/conformance/cases/handlers.json': 'a made-up content type',
};

/** Recorded or generated text, which is not checked. */
const foreign =
  /(?:^|\/)(?:recorded|fixtures|package-lock\.json|api-report\.md)(?:\/|$)|\.(?:svg|png|ico|pem|gz|zip|crt|key)$/;

/** Returns a sentence for each such word in a text. @param {string} path @param {string} text @returns {string[]} */
export function wordsIn(path, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      words
        .filter(([word]) => word.test(line))
        .map(([word, better]) => `${path}:${index + 1}: ${word.exec(line)?.[0] ?? ''}: write ${better}`),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: workspaceRoot, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  const unneeded = new Set(Object.keys(exceptions));
  let found = 0;
  for (const path of files) {
    if (foreign.test(path) || path.startsWith('tools/workspace/')) continue;
    for (const problem of wordsIn(path, readFileSync(join(workspaceRoot, path), 'utf8'))) {
      const exception = Object.keys(exceptions).find((each) => path.startsWith(each));
      if (exception !== undefined) unneeded.delete(exception);
      else {
        found++;
        console.log(problem);
      }
    }
  }
  for (const path of unneeded) console.log(`words.mjs: ${path} no longer needs an exception`);
  process.exitCode = found + unneeded.size > 0 ? 1 : 0;
}
