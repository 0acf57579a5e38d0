/** Where our answer differs from the original's, on purpose or because it must. */
import type { JsonObject, Step } from './step.ts';
import { isObject } from './values.ts';

interface KnownDifference {
  readonly reason: string;
  matches(step: Step, ours: JsonObject, theirs: JsonObject): boolean;
}

const differences: readonly KnownDifference[] = [
  {
    reason:
      'the original cannot apply to the scale of a custom resource whose replicas nobody owns: 500; here it works',
    matches: (step, _ours, theirs) =>
      step.do === 'apply' &&
      step.subresource === 'scale' &&
      messageOf(theirs).startsWith('failed to create manager for existing fields'),
  },
];

/** The reason for a difference in what was seen of a step; undefined when there must be none. */
export function knownDifference(
  step: Step,
  ours: readonly JsonObject[],
  theirs: readonly JsonObject[],
): string | undefined {
  const [own = {}, other = {}] = [ours[0], theirs[0]];
  return differences.find(({ matches }) => matches(step, own, other))?.reason;
}

function messageOf({ body }: JsonObject): string {
  return isObject(body) && typeof body.message === 'string' ? body.message : '';
}
