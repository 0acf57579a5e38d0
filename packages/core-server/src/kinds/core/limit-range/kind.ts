import { LimitRange } from '@tributary/api/core-v1';
import { storedKind } from '../../shared/stored-kind.ts';
import { defaultLimit } from './defaults.ts';
import { validateLimits } from './validation.ts';

export const limitRangeKind = storedKind<LimitRange>({
  typed: LimitRange,
  plural: 'limitranges',
  shortNames: ['limits'],
  allowCreateOnUpdate: true,
  allColumns: [],
  applyDefaults: ({ spec }) => {
    for (const limit of spec.limits ?? []) defaultLimit(limit);
  },
  validate: ({ spec }) => validateLimits(spec.limits ?? []),
});
