import type { DaemonSetSpec } from '@tributary/api/apps-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import { goStrategy, STRATEGIES } from '../shared/update-strategies.ts';

const SPEC = root('spec');

export function validateStrategy({ updateStrategy: { type = '' } }: DaemonSetSpec): FieldError[] {
  if (STRATEGIES.includes(type)) return [];
  return [fieldError.notSupported(SPEC.child('updateStrategy'), goStrategy(type), STRATEGIES)];
}
