/** Where our answer differs from the original's, on purpose or because it must. */
import { isDeepStrictEqual } from 'node:util';
import type { History, JsonObject, Step } from './step.ts';
import type { Subject } from './subject.ts';
import { isObject } from './values.ts';

/** The observations of a step at one side: the response, and the object where the response is not it. */
type Seen = readonly JsonObject[];

interface KnownDifference {
  readonly reason: string;
  /** Both sides store the same. */
  readonly inResponseOnly: boolean;
  matches(met: { subject: Subject; steps: History; ours: Seen; theirs: Seen }): boolean;
}

const differences: readonly KnownDifference[] = [
  {
    reason:
      'the original cannot apply to the scale of a custom resource, unless that changes nothing: 500; here it works',
    inResponseOnly: false,
    matches: ({ steps, theirs }) =>
      isScaleApply(steps.at(-1)) &&
      messageOf(theirs).endsWith(
        'request to convert CR to an invalid group/version: autoscaling/v1',
      ),
  },
  {
    reason:
      'what is wrong with a body is said before it is known that the object is missing, newer, or of a version that was not told',
    inResponseOnly: true,
    matches: ({ ours, theirs }) =>
      codeOf(ours) === 422 &&
      (codeOf(theirs) === 404 ||
        codeOf(theirs) === 409 ||
        messageOf(theirs).endsWith('must be specified for an update')) &&
      isDeepStrictEqual(ours.slice(1), theirs.slice(1)),
  },
  {
    reason:
      'the original answers a write that ends an object with what it would have stored, before it is put in order',
    inResponseOnly: true,
    matches: ({ ours, theirs }) =>
      codeOf(ours) === 200 &&
      codeOf(theirs) === 200 &&
      codeOf(ours.slice(1)) === 404 &&
      isDeepStrictEqual(ours.slice(1), theirs.slice(1)) &&
      isDeepStrictEqual(managersOf(ours), managersOf(theirs)),
  },
  {
    reason:
      'the original writes once more to get rid of nulls, and of metadata that is empty, which an apply has left in the store',
    inResponseOnly: true,
    matches: ({ subject, steps, ours, theirs }) =>
      subject.storesEmptyMetadata &&
      steps.some(leavesSomething) &&
      isDeepStrictEqual(ours.map(withoutVersion), theirs.map(withoutVersion)),
  },
];

/** The listed difference in what was seen of the last step; undefined when there must be none. */
export function knownDifference(
  subject: Subject,
  steps: History,
  [ours, theirs]: readonly [Seen, Seen],
): { readonly reason: string; readonly mayGoOn: boolean } | undefined {
  const found = differences.find(({ matches }) => matches({ subject, steps, ours, theirs }));
  return found && { reason: found.reason, mayGoOn: found.inResponseOnly };
}

function isScaleApply(step: Step | undefined): boolean {
  return step?.do === 'apply' && step.subresource === 'scale';
}

function leavesSomething(step: Step): boolean {
  if (step.do !== 'apply' || step.subresource === 'scale') return false;
  const { metadata } = step.body;
  const hasNull = JSON.stringify(step.body).includes('null');
  return hasNull || (isObject(metadata) && Object.keys(metadata).length > 1);
}

function codeOf([response]: Seen): unknown {
  return response?.code;
}

function messageOf([response]: Seen): string {
  return String(bodyOf(response).message ?? '');
}

function managersOf([response]: Seen): unknown {
  return metadataOf(response).managedFields;
}

function withoutVersion(response: JsonObject): unknown {
  const { resourceVersion: _version, ...metadata } = metadataOf(response);
  return { ...response, body: { ...bodyOf(response), metadata } };
}

function metadataOf(response: JsonObject | undefined): JsonObject {
  const { metadata } = bodyOf(response);
  return isObject(metadata) ? metadata : {};
}

function bodyOf(response: JsonObject | undefined): JsonObject {
  return isObject(response?.body) ? response.body : {};
}
