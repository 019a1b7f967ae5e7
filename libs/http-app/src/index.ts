/**
 * The `http` app: listeners, HTTP engines, exchanges, routing, and servers. Also contains the interfaces of handlers, matchers, and reverse
 * proxy modules.
 */
export { httpApp, httpAppModule, type HttpApp } from './app.ts';
export {
  authenticationProviders,
  passwordHashes,
  type AuthenticationProvider,
  type PasswordHash,
  type User,
} from './authentication.ts';
export { checkFolder } from './checks/folder-check.ts';
export { misspeltIn } from './checks/placeholder-check.ts';
export { checkStatus } from './checks/status-check.ts';
export {
  compileNegotiator,
  httpEncoders,
  httpPrecompressed,
  lastingBodies,
  type EncodingStream,
  type HttpEncoder,
  type Negotiator,
  type PrecompressedFiles,
} from './encoding.ts';
export { Deadlines } from './engine/deadlines.ts';
export { isDirect, type DirectReader, type DirectSocket } from './engine/direct-socket.ts';
export { LoopbackConnections } from './engine/loopback-connections.ts';
export { ConnectionHost, type EngineConnection } from './engine/connection-host.ts';
export { plainAddress, type SocketFacts } from './engine/facts.ts';
export { Pace, paceRule } from './engine/pace.ts';
export { flows, type Aspect, type Domain, type FlowOf, type HandlerFlow, type MatcherFacts } from './flow.ts';
export type { PaceRule } from './exchange/pace-rule.ts';
export { UnconnectedBody } from './engine/unconnected-body.ts';
export {
  unconnectedResponse,
  type RequestLine,
  type SentHead,
  type UnconnectedResponse,
} from './engine/unconnected-response.ts';
export type { ServerHandle, ServerLimits } from './engine/server-handle.ts';
export {
  AbortError,
  CutError,
  ClientGoneError,
  HttpError,
  isAbortError,
  isCutError,
  isClientGoneError,
  isHttpError,
  statusOf,
} from './errors.ts';
export { attachmentKey, type AttachmentKey } from './exchange/attachments.ts';
export { hostOf, portOf, withoutZone } from './exchange/authority.ts';
export {
  BodyFilter,
  BufferedBody,
  LimitedBody,
  RequestBody,
  bufferBody,
  emptyBody,
  type BodySink,
} from './exchange/body.ts';
export type { ConnectionInfo } from './exchange/connection.ts';
export type { Captures } from './exchange/captures.ts';
export { Exchange, type Next } from './exchange/exchange.ts';
export { isSecure } from './exchange/is-secure.ts';
export { ResponseFilter, ResponseWriter, type Chunk } from './exchange/response.ts';
export { isStreamingRequest, isStreamingResponse } from './exchange/streaming.ts';
export { disk } from './files/disk.ts';
export { loadFileSender } from './files/file-sender.ts';
export {
  fileSystems,
  fileSystemsApp,
  isFolder,
  isLink,
  isPlainFile,
  type FileFacts,
  type FileSystem,
  type FileSystemsApp,
  type FolderEntry,
  type ImmediateFileSystem,
  type OpenFile,
} from './files/file-system.ts';
export {
  httpHandlers,
  httpMatchers,
  type HttpHandler,
  type HttpMatcher,
  type RouteKeys,
  type Watch,
} from './handler.ts';
export { Listener } from './listener/listener.ts';
export type { RawService } from './listener/listener-options.ts';
export { Peek, undecided, type FirstBytes } from './listener/peek.ts';
export { listenerWrappers, type ListenerWrapper, type NextSocket } from './listener/wrapper.ts';
export {
  compileHeaderOperations,
  headerOperationFields,
  headerOperationOptions,
  type HeaderOperations,
} from './operations/header-operations.ts';
export {
  findResponseHandler,
  loadResponseHandlers,
  replacedStatus,
  responseHandlerOptions,
  type ResponseHandler,
  watchedResponseHandlers,
} from './operations/response-handlers.ts';
export { compileResponseMatcher, responseMatcherOptions, type ResponseMatcher } from './operations/response-matcher.ts';
export { compileRoot, noRoot } from './files/root.ts';
export { compileRewrite, rewriteOptions } from './operations/rewrite.ts';
export type { Rewrite } from './operations/rewrite-target.ts';
export { ipSources, type IpSource } from './options.ts';
export { withholdExternal } from './placeholders/external.ts';
export { resolveGlobalText } from './placeholders/global-text.ts';
export { Intercepted, interceptedKey } from './placeholders/intercepted.ts';
export { resolveTls } from './placeholders/tls.ts';
export { compileText, placeholderValue, resolveHttp, type HttpTemplate } from './placeholders/resolve.ts';
export { dialAddress, parseDialAddress, type DialAddress } from './proxy/dial-address.ts';
export { openSocket } from './proxy/dial/open-socket.ts';
export { proxyHeader, type ProxiedClient } from './proxy/dial/proxy-header.ts';
export { upstreamTlsOptions } from './proxy/dial/tls-options.ts';
export { openDatagramClient } from './proxy/dial/datagram-client.ts';
export { tlsSettings, type TlsSettings } from './proxy/dial/tls-settings.ts';
export { UpstreamSocket, type SocketReader } from './proxy/dial/upstream-socket.ts';
export { upstreamEvents, upstreamHealthEvents, type UpstreamHealthEvent } from './proxy/events.ts';
export { proxyFacts, type HeldResponse, type ProxiedRequest, type ProxyFacts } from './proxy/facts.ts';
export { idempotentMethods } from './proxy/idempotent.ts';
export { ReplayableBody } from './proxy/replayable-body.ts';
export { randomPolicy, requestsInFlight } from './proxy/selection/chance.ts';
export { leastRequests } from './proxy/selection/least-requests.ts';
export { selectByHash } from './proxy/selection/rendezvous.ts';
export { sampleUpstreams } from './proxy/selection/sample.ts';
export { earlierRequests, selectInTurn, sharedTurn, type Turn } from './proxy/selection/turn.ts';
export { SendBuffer } from './proxy/send-buffer.ts';
export { upstreamStandIn, type UpstreamStandIn } from './proxy/stand-in.ts';
export { timeOption } from './proxy/time-option.ts';
export {
  upstreamTransports,
  type DescribedRequest,
  type Transport,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from './proxy/transport.ts';
export { networkProxies, type NetworkProxy } from './proxy/trust.ts';
export { UpstreamError, isUpstreamError, type UpstreamFailure } from './proxy/upstream-error.ts';
export {
  upstreamConnections,
  upstreamSamplers,
  type UpstreamConnections,
  type UpstreamSample,
  type UpstreamSampler,
} from './proxy/upstream-sample.ts';
export {
  circuitBreakers,
  proxyIdentity,
  selectionPolicies,
  upstreamSources,
  type CircuitBreaker,
  type SelectionPolicy,
  type Upstream,
  type UpstreamSource,
} from './proxy/upstream.ts';
export { provisionProxyProtocol, proxyProtocolOptions } from './proxy-protocol/provision.ts';
export { HealthBoard } from './proxy/upstreams/health-board.ts';
export { HealthChecker, type CheckedUpstream, type HealthProbe } from './proxy/upstreams/health-checker.ts';
export type { HealthCheck, HealthMark } from './proxy/upstreams/health-mark.ts';
export { UpstreamHost } from './proxy/upstreams/upstream-host.ts';
export {
  ejectionText,
  stateOf,
  upstreamStates,
  worstOf,
  type FailureKind,
  type UpstreamEjection,
  type UpstreamState,
} from './proxy/upstreams/upstream-state.ts';
export { UpstreamUse } from './proxy/upstreams/upstream-use.ts';
export type { UpstreamUser } from './proxy/upstreams/upstream-user.ts';
export { UpstreamWaiters, type PlaceListener } from './proxy/upstreams/upstream-waiters.ts';
export { register } from './register.ts';
export { redactNode, redactQuery, shown } from './redact.ts';
export type { Choice, UpstreamCandidate, DeclaredResponse, Rehearsal, RehearsedRequest } from './rehearsal.ts';
export { endOfChain } from './routing/chain.ts';
export { hostKey, pathKeyOf, wildcardKey } from './routing/keys.ts';
export { matchSets, type MatcherSet } from './routing/match.ts';
export type { ListPlace, PartPlace, Probe, RoutePlace } from './routing/probe.ts';
export { RouteList } from './routing/route-list.ts';
export { loadMatcherSet, provisionRoute, routeOptions, type Route } from './routing/route.ts';
export { routingOf } from './routing/routing-state.ts';
export type { DatagramPort } from './listener/bound-port.ts';
export { quicLogsToken, type QuicLogs } from './listener/quic-logs.ts';
export type { QuicListener } from './listener/quic-listener.ts';
export { datagramRoutes, datagramRoutesToken, isRouteKey, type DatagramRoutes } from './listener/datagram-routes.ts';
export {
  listenersToken,
  listenSocketsToken,
  nativeCheckToken,
  quicListenersToken,
  reusePortToken,
} from './server/provision.ts';
export { serverConnections } from './server/connections.ts';
export { serverWatchToken, type ServerWatch, type WatchedServer } from './server/server-watch.ts';
export { finalStatus } from './server/final-status.ts';
export { Server } from './server/server.ts';
export { sniffContentType } from './sniff.ts';
export {
  aroundHash,
  bytesIn,
  bytesOut,
  canaryBlocks,
  idOf,
  isCanaryBlock,
  parseRequestBlockName,
  parseUpstreamBlockName,
  retries,
  routeHash,
  serverHash,
  statusClasses,
  upstreamFailures,
  type RequestBlockName,
} from './stats/counts.ts';
export { namesHost } from './stats/named-hosts.ts';
export {
  requestSamplerToken,
  sampleSettingsToken,
  type RequestSampler,
  type SampleSettings,
} from './stats/request-sampler.ts';
export { RequestStats, requestStatsToken } from './stats/request-stats.ts';
