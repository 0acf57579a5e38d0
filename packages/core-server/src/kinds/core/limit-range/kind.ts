import { LimitRange } from '@tributary/api/core-v1';
import { defineResource, version } from '@tributary/server/definition';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { defaultLimit } from './defaults.ts';
import { validateLimits } from './validation.ts';

export const limitRangeKind = defineResource({
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  scope: 'Namespaced',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  versions: {
    v1: version({
      typed: LimitRange,
      columns: [],
      applyDefaults: ({ spec }) => {
        for (const limit of spec.limits ?? []) defaultLimit(limit);
      },
      ...validationHooks<LimitRange>({
        validate: ({ spec }) => validateLimits(spec.limits ?? []),
      }),
    }),
  },
});
