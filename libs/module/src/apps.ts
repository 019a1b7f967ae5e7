/** What is beside the app `http`: storage, events, logs, configuration formats, routes of the admin API. */
export {
  configAdapters,
  configLoaders,
  logEncoders,
  logWriters,
  storages,
  storageToken,
  tlsApp,
  type AdaptedConfig,
  type AdapterOptions,
  type ConfigAdapter,
  type ConfigLoader,
  type LoadedConfig,
  type LockOptions,
  type LogEncoder,
  type LogOutput,
  type LogWriter,
  type Storage,
  type StorageLock,
  type StoredInfo,
  type TlsInfo,
} from '@sluice/contracts';
export { AbortedError, Event, eventHandlers, eventsApp, type EventHandler } from '@sluice/events-app';
export type {
  AdminHandler,
  AdminRequest,
  AdminResponse,
  AdminRoute,
  AdminRoutes,
  RunningServer,
} from '@sluice/registry';
