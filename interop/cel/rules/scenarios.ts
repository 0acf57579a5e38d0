import type { Scenario } from './scenario.ts';
import { failureScenarios } from './scenarios/failures.ts';
import { messageScenarios } from './scenarios/messages.ts';
import { ratchetingScenarios } from './scenarios/ratcheting.ts';
import { transitionScenarios } from './scenarios/transitions.ts';
import { valueScenarios } from './scenarios/values.ts';

export const scenarios: readonly Scenario[] = [
  ...messageScenarios,
  ...failureScenarios,
  ...transitionScenarios,
  ...ratchetingScenarios,
  ...valueScenarios,
];
