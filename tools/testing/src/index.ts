/** Test support for modules: a server in the test process, HTTP exchanges without sockets, and hosts for modules of any namespace. */
export { adminApi, type AdminApi } from './admin-api.ts';
export type { AdminTestRequest, AdminTestResponse } from './ask-admin.ts';
export { fromCaddyfile, asCaddyfile } from './caddyfile.ts';
export { MemoryResponse } from './memory-response.ts';
export {
  connectionFacts,
  makeExchange,
  request,
  serve,
  withRoutes,
  type ServeOptions,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from './serve.ts';
export { sampleTls } from './connections.ts';
export { sampleCertificates } from './certificates.ts';
export { signedCertificate, throwAwayCertificate, type ThrowAwayCertificate } from './throw-away-certificate.ts';
export { geoDatabase } from './geo-database.ts';
export { wafEngine } from './waf-engine.ts';
export { findingsOf } from './findings.ts';
export { lintFindings } from './lint-findings.ts';
export { commandOf, freePort } from './machine.ts';
export { MemoryStorage, registerStorage } from './memory-storage.ts';
export { RawClient, startEchoUpstream, type EchoUpstream } from './raw-connections.ts';
export {
  provision,
  provisionMap,
  provisionNamed,
  refusal,
  type HostOptions,
  type Provisioned,
  type ProvisionOptions,
} from './provision.ts';
export * as frames from './http2/frames.ts';
export { http2Checks, post, served, setting, type Http2Check } from './http2/checks.ts';
export {
  hasDnsServer,
  startDnsServer,
  type DnsServer,
  type DnsServerKind,
  type DnsServerOptions,
} from './servers/dns-server.ts';
export { NameServer } from './servers/name-server.ts';
export { hasPebble, startPebble, type Pebble } from './servers/pebble.ts';
export { hasPostgres, PostgresServer } from './servers/postgres-server.ts';
export { hasRedis, RedisServer } from './servers/redis-server.ts';
export { hasS3, S3Server } from './servers/s3-server.ts';
export { Relay } from './servers/relay.ts';
