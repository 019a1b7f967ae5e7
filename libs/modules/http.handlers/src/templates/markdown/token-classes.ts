/** Maps highlight.js scopes to short Pygments class names, https://pygments.org/docs/tokens. */
import { own } from '@sluice/base';

/** Language-specific rules for classifying text that highlight.js has not classified. */
export interface Dialect {
  /** Class of names. Empty if names have no class. */
  readonly word: string;
  /** Class of whitespace. Empty if whitespace has no class. */
  readonly space: string;
  /** True if operators and punctuation have classes. */
  readonly signs: boolean;
  /** True if a comment includes the end of its line. */
  readonly commentTakesLine: boolean;
  readonly shell: boolean;
  readonly attribute: string;
  readonly declaring: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
const code: Dialect = {
  word: 'n',
  space: '',
  signs: true,
  commentTakesLine: false,
  shell: false,
  attribute: 'na',
  declaring: none,
};
const script: Dialect = {
  ...code,
  word: 'nx',
  commentTakesLine: true,
  declaring: new Set(['var', 'let', 'const', 'function', 'class']),
};
const shellBuiltins = new Set(
  'alias bg bind break builtin caller cd command compgen complete declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout popd printf pushd pwd read readonly set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);
const shell: Dialect = { ...code, word: '', signs: false, shell: true, commentTakesLine: true };
const markup: Dialect = { ...code, word: '', signs: false };
const dialects: Readonly<Record<string, Dialect>> = {
  go: { ...code, word: 'nx', space: 'w', declaring: new Set(['func', 'var', 'const', 'type', 'struct', 'interface']) },
  javascript: script,
  typescript: script,
  json: { ...code, attribute: 'nt' },
  yaml: { ...code, word: 'l', space: 'w', attribute: 'nt' },
  xml: markup,
  markdown: markup,
  diff: { ...markup, commentTakesLine: true },
  plaintext: markup,
  bash: shell,
  shell,
};
const aliases: Readonly<Record<string, string>> = {
  golang: 'go',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  html: 'xml',
  xhtml: 'xml',
  svg: 'xml',
  rss: 'xml',
  md: 'markdown',
  sh: 'bash',
  zsh: 'bash',
  yml: 'yaml',
  patch: 'diff',
  text: 'plaintext',
  txt: 'plaintext',
  console: 'shell',
  jsonc: 'json',
};

/** Returns the dialect for a language, which is specified by name or alias. */
export function dialectOf(language: string): Dialect {
  const name = own(aliases, language) ?? language;
  return own(dialects, name) ?? code;
}

const classes: Readonly<Record<string, string>> = {
  'title.function': 'nf',
  'title.class': 'nc',
  'title.class.inherited': 'nc',
  title: 'nf',
  type: 'kt',
  literal: 'kc',
  operator: 'o',
  punctuation: 'p',
  regexp: 'sr',
  symbol: 'ss',
  variable: 'nv',
  'variable.language': 'k',
  'variable.constant': 'no',
  'template-variable': 'nv',
  'char.escape': 'se',
  meta: 'cp',
  doctag: 'cs',
  name: 'nt',
  section: 'gh',
  addition: 'gi',
  deletion: 'gd',
  emphasis: 'ge',
  strong: 'gs',
  bullet: 'k',
  'selector-tag': 'nt',
  'selector-class': 'nc',
  'selector-id': 'nn',
  attribute: 'k',
  property: 'nx',
};

/** Returns the class for text in these scopes. Returns `null` if the text is not classified. */
export function classOf(scopes: readonly string[], text: string, dialect: Dialect): string | null {
  const scope = scopes.at(-1) ?? '';
  switch (scope) {
    case 'keyword':
      if (scopes.includes('literal')) return 'kc';
      return dialect.declaring.has(text) ? 'kd' : 'k';
    case 'number':
      return dialect.attribute === 'nt' && dialect.space === 'w' ? 'm' : /^\d+$/.test(text) ? 'mi' : numberClass(text);
    case 'string':
      return stringClass(text, dialect);
    case 'comment':
      return /^\/\*|^<!--/.test(text) ? 'cm' : 'c1';
    case 'attr':
      return dialect.attribute;
    case 'built_in':
      return dialect.shell && !shellBuiltins.has(text) ? '' : 'nb';
    default:
      return own(classes, scope) ?? null;
  }
}

function numberClass(text: string): string {
  if (/^0[xX]/.test(text)) return 'mh';
  return /[.eE]/.test(text) ? 'mf' : 'mi';
}

function stringClass(text: string, dialect: Dialect): string {
  if (!dialect.signs && !dialect.shell) return 's';
  if (dialect.space === 'w') return 's';
  if (text.startsWith('`')) return 'sb';
  return text.startsWith("'") ? 's1' : 's2';
}
