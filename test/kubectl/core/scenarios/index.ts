import type { Scenario } from '../../scenario.ts';
import { namespaceLife } from './namespaces.ts';
import { serviceAccountTokens } from './service-account-tokens.ts';
import { surroundings } from './surroundings.ts';
import { coreWatching } from './watching.ts';

export const coreScenarios: readonly Scenario[] = [
  ...surroundings,
  ...namespaceLife,
  ...serviceAccountTokens,
  ...coreWatching,
];
