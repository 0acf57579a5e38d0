import type { Scenario } from '../../scenario.ts';

export const coreScenarios: readonly Scenario[] = [];
