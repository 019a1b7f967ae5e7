/** What keeps a failure where it happened. */
export { onFault, reportFault, type Fault, type FaultPart } from './fault.ts';
export { connectionOf, failOwner, guarded, runGuarded, taskOf, unawaited, type Guarded } from './guard.ts';
export { recordFaults, type FaultRecordOptions } from './fault-record.ts';
