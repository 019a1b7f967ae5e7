/**
 * Base package for all other packages. Contains errors, JSON values and paths, text utilities, values with units, addresses, regular
 * expressions, placeholders, and the logger interface.
 *
 * This package does not depend on modules.
 */
export { byteAt, floatAt, itemAt, numberAt, wordAt } from './collections/bounded.ts';
export { ChunkedList, spliceOfLists } from './collections/chunked-list.ts';
export { changedRuns, type ChangedRun } from './collections/runs.ts';
export { LayeredMap } from './collections/layered-map.ts';
export type { ErrorCodes } from './error-code.ts';
export {
  SluiceError,
  configError,
  isSluiceError,
  located,
  messageOf,
  pathError,
  readableError,
  syntaxError,
} from './errors.ts';
export { makeDirectory, makeDirectorySync } from './files/make-directory.ts';
export { onFault, reportFault, type Fault } from './guard/fault.ts';
export { connectionOf, failOwner, guarded, runGuarded, taskOf, unawaited, type Guarded } from './guard/guard.ts';
export { duplicateKeys } from './json/duplicate-keys.ts';
export { fileMode, removeStale, stageFile, type StagedFile } from './files/durable-file.ts';
export { checkIntended } from './json/intended.ts';
export {
  idKey,
  isArray,
  isObject,
  jsonEqual,
  kindOf,
  own,
  withKey,
  withoutKey,
  type Json,
  type JsonArray,
  type JsonObject,
} from './json/json.ts';
export {
  formatPointer,
  formatUrlPath,
  formatWhere,
  parseWhere,
  maxDepth,
  parseIndex,
  parsePointer,
  parseUrlPath,
  type ConfigPath,
} from './json/path.ts';
export { parseJsonText, type ParsedJson } from './json/json-text.ts';
export { listAt, objectAt, valueAt } from './json/parts.ts';
export { insertedBy, spliceOf, type ArraySplice } from './json/splice.ts';
export { fieldJson, fieldMembers, spacedFieldJson } from './logging/field-json.ts';
export {
  codeField,
  createLogger,
  silentLogger,
  type DeferredFields,
  type LogEntry,
  type LogFields,
  type LogLevel,
  type LogSink,
  type Logger,
} from './logging/logger.ts';
export {
  expandPorts,
  formatNetworkAddress,
  isDatagramNetwork,
  isDescriptorNetwork,
  isUnixNetwork,
  listenerKey,
  parseNetworkAddress,
  portCount,
  unixSocketPath,
  type NetworkAddress,
} from './network/address.ts';
export { AcceptedSocket, descriptorOf, type ConnectionHandle } from './network/accepted-socket.ts';
export { directReads } from './network/direct-reads.ts';
export {
  canHaveLayer,
  hasLayer,
  type LayeredSocket,
  type SocketLayer,
  type WriteDone,
  type WritePart,
} from './network/socket-layer.ts';
export { canonicalHost, canonicalIPv6, joinHostPort, splitHostPort } from './network/host-port.ts';
export { httpGet, httpPost } from './network/http-get.ts';
export { compileRanges, parseIpRange, privateRanges, type IpMatcher, type IpRange } from './network/ip-ranges.ts';
export { parseIPv4, parseIPv6, unmapIPv4 } from './network/ip.ts';
export { maskIp, networkOf } from './network/mask.ts';
export { cleanPath, cleanRequestPath, pathExtension, withoutDotSegments } from './paths/clean-path.ts';
export { compileGlob, type GlobMatcher } from './paths/glob.ts';
export { fileName, hasWindowsMeaning, joinRoot, joinRootWithSlash } from './paths/join-root.ts';
export { resolveExternal, resolveGlobal, resolveTime } from './placeholders/global.ts';
export { checkExternalRead, confine, explainsConfined, isConfined } from './process/external-reads.ts';
export { expandRequired, requiredText } from './placeholders/required.ts';
export {
  compileTemplate,
  formatValue,
  type Accessor,
  type Resolver,
  type Template,
  type Unknown,
} from './placeholders/template.ts';
export { formatHttpDate } from './placeholders/time.ts';
export { polledSockets } from './network/polled-sockets.ts';
export {
  ListenSockets,
  type OpenedSocket,
  type PollSets,
  type RawSocket,
  type SocketDescriptors,
} from './network/listen-sockets.ts';
export { SocketFile } from './network/socket-file.ts';
export { canReusePort } from './network/reuse-port.ts';
export { configDirectory, dataDirectory, type Environment } from './process/directories.ts';
export { beginRead, endRead, timeOfRead } from './process/read-clock.ts';
export { closeDescriptor, closeOnExec, duplicateDescriptor, sendUnixDatagram } from './process/system-calls.ts';
export { within } from './process/within.ts';
export { compileReplacement, expandReplacement } from './regexp/replacement.ts';
export { compileRegExp, type RegExpGroups, type SafeRegExp } from './regexp/safe-regexp.ts';
export {
  isSecretField,
  isSecretName,
  isSecretOfRequest,
  withoutTokens,
  redacted,
  redactedQuery,
  redactedText,
} from './text/secrets.ts';
export { compareText } from './text/compare.ts';
export { closest } from './text/closest.ts';
export { isSameToken, listedTokens, lowerAscii, trimBlanks } from './text/ascii.ts';
export { decodeBytes, encodeBytes, fromLatin1, toLatin1 } from './text/bytes.ts';
export { flat } from './text/flat.ts';
export { canonicalHeaderName } from './text/header-name.ts';
export { lowerCase } from './text/lower-case.ts';
export {
  escapePath,
  escapePathSegment,
  escapeQuery,
  escapedPathOf,
  unescapePath,
  unescapePathOrNull,
  unescapeQueryOrNull,
} from './text/percent.ts';
export { encodeQuery, parseQuery, parseQueryOrNull, type QueryValues } from './text/query.ts';
export { escapeHtml, escapeXml } from './text/markup.ts';
export { isToken, isTokenCode } from './text/token.ts';
export {
  formatDuration,
  formatNanoseconds,
  maxTimer,
  parseDuration,
  parseNanoseconds,
  type DurationValue,
} from './values/duration.ts';
export { valueError } from './values/value-error.ts';
