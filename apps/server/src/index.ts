/** Exports the server as a library for other programs. */
export { startControl, type Control, type ControlOptions } from './control.ts';
export { registerStandard } from './register-standard.ts';
export { FileStore, type FileStoreOptions } from './persistence/file-store.ts';
export { WorkerReserve } from './workers/worker-reserve.ts';
