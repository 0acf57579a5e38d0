import { isDeepStrictEqual } from 'node:util';
import type { DaemonSetSpec } from '@tributary/api/apps-v1';
import { type FieldError, fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { goSelector } from '../../shared/workload-validation.ts';

const SPEC = root('spec');

export function validateSelectorUnchanged(next: SelectorSpec, live: SelectorSpec): FieldError[] {
  if (isDeepStrictEqual(next.selector, live.selector)) return [];
  return [fieldError.invalid(SPEC.child('selector'), goSelector(next.selector), fieldImmutable)];
}

type SelectorSpec = Pick<DaemonSetSpec, 'selector'>;
