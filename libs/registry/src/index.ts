/**
 * The module registry: namespaces, module descriptors, provisioning contexts, option schemas, and manifests of third-party packages. It
 * also contains the tapable hooks through which packages extend the server.
 */
export type {
  AdminHandler,
  AdminPathParams,
  AdminRequest,
  AdminResponse,
  AdminRouter,
  AdminRouteName,
  AdminRoutes,
} from './modules/admin-routes.ts';
export type { AdminOperation, AdminOperationResponse, AdminOperations } from './modules/admin-operations.ts';
export {
  defineCheck,
  type CheckedModule,
  type ConfigCheck,
  type Finding,
  type FindingFix,
  type Severity,
  type Warn,
} from './checks/check.ts';
export { runChecks } from './checks/run-checks.ts';
export type { LintedConfiguration } from './lint/configuration.ts';
export {
  caddyfile,
  defineLint,
  lintChecks,
  nativeJson,
  type LintCheck,
  type LintContribution,
  type LintExample,
  type Report,
  type ReportDetails,
} from './lint/lint-check.ts';
export { finder, onceForNode, rareTexts, textFinder } from './lint/once-for-node.ts';
export { isAbout, suppressionsIn } from './lint/suppressions.ts';
export { textsIn, type PlacedText } from './lint/texts.ts';
export { lint, loadLintChecks } from './lint/run-lint.ts';
export { blame, isProgrammingError, placeOf } from './modules/blame.ts';
export type { CanaryKey, CanarySettings, CanaryTraffic, RetireReason } from './modules/canary.ts';
export {
  ChangeHooks,
  guardTaps,
  type AppliedChange,
  type LayeredChange,
  type MadeModule,
  type FailedChange,
  type KeptChange,
  type PatchOperation,
  type ExpectedBehavior,
  type PreparedChange,
  type ProposedChange,
  type RehearsedChange,
  type RequestedTests,
  type RequiredTests,
  type ShadowOptions,
  type ReportRight,
} from './modules/change-hooks.ts';
export type { CommandAction, CommandArgument, CommandOption, Commands, CommandSpec } from './modules/command.ts';
export type { Context, Disposer, LoadedList, Provision, Roles, Segment } from './modules/context.ts';
export { defineModule, type ModuleDescriptor, type ModuleEffect } from './modules/descriptor.ts';
export { KnownModule, listed, type ListedModule, type ModuleLookup } from './modules/known-module.ts';
export { readManifest, type ManifestModule, type ModuleManifest } from './modules/manifest.ts';
export {
  appToken,
  apps,
  moduleId,
  namespace,
  token,
  type AppToken,
  type Namespace,
  type Token,
} from './modules/namespace.ts';
export { Registry, registryToken, type Register } from './modules/registry.ts';
export type { AppLookup } from './modules/app-lookup.ts';
export type { ConfigOrigin, RunningServer } from './modules/running-server.ts';
export { ResourcePool, type Lease, type Pooled } from './modules/resource-pool.ts';
export { checkOptions, checkValue } from './schema/check.ts';
export { describeCommands, describeModules } from './schema/describe.ts';
export { configSchema } from './schema/document.ts';
export {
  anything,
  boolean,
  choice,
  duration,
  headerMap,
  inlineModule,
  inlineModuleMap,
  inlineModules,
  integer,
  integers,
  json,
  list,
  listOptions,
  map,
  mapOptions,
  moduleKeyword,
  moduleMap,
  moduleSets,
  number,
  options,
  orNull,
  string,
  strings,
  structure,
  text,
  weakString,
  type ModuleReference,
  type Options,
} from './schema/options.ts';
export { Type } from './schema/type.ts';
export { withoutIds } from './schema/without-ids.ts';
export { contributionPoint } from './modules/contribution.ts';
export type { Contribution } from './modules/contribution.ts';
export type { ContributionPoint } from './modules/contribution.ts';
export {
  declareEvent,
  references,
  type EventDeclaration,
  type MetricDeclaration,
  type PackageReference,
  type PlaceholderGroup,
} from './reference/contribution.ts';
