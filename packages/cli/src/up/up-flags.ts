import type { CoreFlags } from '@tributary/core-server';
import {
  defineFlag,
  duration,
  FlagError,
  type FlagValue,
  type FlagValues,
  list,
  oneOf,
} from '@tributary/server/program';
import { aggregationFlags } from '../aggregation/aggregation-flags.ts';
import { type SampleName, sampleNames } from '../samples/sample.ts';

const sampleList: FlagValue<readonly SampleName[]> = (value, name) => {
  if (value === 'none') return [];
  return list(value, name).map((one) => {
    const known = sampleNames.find((sample) => sample === one);
    if (known === undefined) {
      throw new FlagError(`--${name} ${one}: there are: ${sampleNames.join(', ')}, or none`);
    }
    return known;
  });
};

/** The flags of `tributary up` in addition to those of the control plane. */
export const upFlags = {
  ...aggregationFlags,
  namespaceDeletion: defineFlag(
    oneOf(['debt', 'wait']),
    ['namespace-deletion', 'HOW', 'debt'],
    'Deletion of a namespace with objects on an unavailable server: delete the namespace and, later, these objects (debt), or wait for the server (wait).',
  ),
  namespaceDeletionGrace: defineFlag(
    duration,
    ['namespace-deletion-grace', 'DURATION', '1m0s'],
    'Time that the deletion of a namespace waits for an unavailable server before it continues without it.',
  ),
  sample: defineFlag(
    sampleList,
    ['sample', 'NAMES', 'none'],
    `sample API servers to run behind the aggregator, each in a process of its own: ${sampleNames.join(', ')}, or none`,
  ),
} as const;

export type UpFlags = CoreFlags & FlagValues<typeof upFlags>;
