/** Where our answer differs from the original's, on purpose or because it must. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, Step } from './step.ts';
import { isObject } from './values.ts';

interface KnownDifference {
  readonly reason: string;
  /** What was written is the same on both sides, only the answer differs. */
  readonly inAnswerOnly?: boolean;
  matches(step: Step, ours: JsonObject, theirs: JsonObject): boolean;
}

const differences: readonly KnownDifference[] = [
  {
    reason:
      'the original cannot apply to the scale of a custom resource, unless that changes nothing: 500; here it works',
    matches: (step, _ours, theirs) =>
      step.do === 'apply' &&
      step.subresource === 'scale' &&
      messageOf(theirs).endsWith(
        'request to convert CR to an invalid group/version: autoscaling/v1',
      ),
  },
  {
    reason:
      'what is wrong with a body is said before it is known that the object is missing, newer, or of a version that was not told',
    inAnswerOnly: true,
    matches: (_step, ours, theirs) =>
      ours.code === 422 &&
      (theirs.code === 404 ||
        theirs.code === 409 ||
        messageOf(theirs).endsWith('must be specified for an update')),
  },
];

/** The listed difference in what was seen of a step; undefined when there must be none. */
export function knownDifference(
  step: Step,
  ours: readonly JsonObject[],
  theirs: readonly JsonObject[],
): { readonly reason: string; readonly mayGoOn: boolean } | undefined {
  const [[own = {}, ...ownState], [other = {}, ...otherState]] = [ours, theirs];
  const found = differences.find(({ matches }) => matches(step, own, other));
  if (found === undefined) return undefined;
  if (!found.inAnswerOnly) return { reason: found.reason, mayGoOn: false };
  const isSameState = isDeepStrictEqual(ownState, otherState);
  return isSameState ? { reason: found.reason, mayGoOn: true } : undefined;
}

function messageOf({ body }: JsonObject): string {
  return isObject(body) && typeof body.message === 'string' ? body.message : '';
}
