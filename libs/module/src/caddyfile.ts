/** What a module brings to the Caddyfile: directives, global options and the syntax of modules. */
export {
  directives,
  globalOptions,
  moduleSyntaxes,
  type BlockContent,
  type Description,
  type Directive,
  type DirectiveContribution,
  type GlobalOption,
  type GlobalOptionContribution,
  type ModuleSyntax,
  type ModuleSyntaxContribution,
  type OptionDescription,
} from '@sluice/caddyfile/contribute';
