/** The canary of a rollout: an edit that serves a share of the requests before it is applied to the document. */
import { isObject, messageOf, own, SluiceError, type Json, type JsonObject } from '@sluice/base';
import type { CanarySettings, PatchOperation } from '@sluice/registry';
import { diff } from '../document/diff.ts';
import { applyOperations } from '../document/patch.ts';
import type { Edit } from './change.ts';

export interface Canary {
  readonly edit: Edit;
  readonly settings: CanarySettings;
  /** Called with the reason when another change has ended the canary. */
  readonly onEnd: (reason: string) => void;
}

/** A canary configuration next to the active document. */
export interface PlannedCanary {
  readonly document: Json;
  /** JSON Patch from the active document to the canary's document. */
  readonly operations: readonly PatchOperation[];
  readonly settings: CanarySettings;
}

interface Beside {
  /** The shared document. */
  readonly document: Json;
  /** The threads' document. */
  readonly effective: Json;
  /** Derives the document that the threads use for the canary. */
  readonly view: (document: Json) => Json;
}

/**
 * Applies a canary's edit to the active document. Both documents share unchanged subtrees. Throws `ERR_ROLLOUT` with status 409 if the edit
 * can't be applied, or if it changes nothing that a canary can serve.
 */
export function planCanary({ edit, settings }: Canary, { document, effective, view }: Beside): PlannedCanary {
  let edited;
  try {
    edited = edit(document);
  } catch (error) {
    throw canaryError(`the change no longer applies to the configuration: ${messageOf(error)}`, error);
  }
  const operations = diff(effective, view(withAppOf(document, edited)));
  if (operations.length === 0)
    throw canaryError('the change does not affect requests: a gradual rollout requires a difference in apps.http');
  return { document: applyOperations(effective, operations), operations, settings };
}

/**
 * Replaces the `http` app of a document. A canary shares all other parts, such as certificates and logs, with the active configuration.
 * Changes to those parts become active when the edit is applied.
 */
function withAppOf(document: Json, edited: Json): Json {
  const http = own(appsOf(edited), 'http');
  const apps = appsOf(document);
  if (http === undefined || own(apps, 'http') === undefined)
    throw canaryError('a gradual rollout compares requests, so apps.http must exist both before and after the change');
  return { ...(document as JsonObject), apps: { ...apps, http } };
}

function appsOf(document: Json): JsonObject {
  const apps = isObject(document) ? own(document, 'apps') : undefined;
  return apps !== undefined && isObject(apps) ? apps : {};
}

export function canaryError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_ROLLOUT', message, { status: 409, ...(cause === undefined ? {} : { cause }) });
}
