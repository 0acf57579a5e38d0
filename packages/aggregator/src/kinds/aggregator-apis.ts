import type { Clock } from '@tributary/client';
import type { ApiDefinition } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import { AGGREGATION_GROUP, REGISTRATION_GROUP } from '../api-services/resources.ts';
import { apiServiceKind } from './api-service-kind.ts';
import { namespaceDebtKind } from './namespace-debt-kind.ts';

/** The APIs of an aggregator in a control plane. An APIService for one of them, or one of `builtIn`, is local. */
export function aggregatorApis(
  builtIn: readonly ApiDefinition[],
  clock: Pick<Clock, 'nowMs'>,
): readonly ApiDefinition[] {
  const isBuiltIn = (group: string, version: string) =>
    [...builtIn, ...apis].some((api) => api.group === group && api.versions.includes(version));
  const apis: readonly ApiDefinition[] = [
    defineApi({
      group: REGISTRATION_GROUP,
      builtIn: true,
      resources: [apiServiceKind({ isBuiltIn, nowMs: () => clock.nowMs() })],
    }),
    defineApi({ group: AGGREGATION_GROUP, builtIn: true, resources: [namespaceDebtKind] }),
  ];
  return apis;
}
