import type { Scenario } from '../../scenario.ts';
import { fixtures } from './dependencies.ts';
import { namespaceLife } from './namespaces.ts';
import { serviceAccountTokens } from './service-account-tokens.ts';
import { coreWatching } from './watching.ts';

export const coreScenarios: readonly Scenario[] = [
  ...fixtures,
  ...namespaceLife,
  ...serviceAccountTokens,
  ...coreWatching,
];
