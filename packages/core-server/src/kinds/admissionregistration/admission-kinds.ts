import type { ResourceDefinition } from '@tributary/server';
import { mutatingBindingKind, validatingBindingKind } from './binding-kinds.ts';
import { mutatingPolicyKind, validatingPolicyKind } from './policy-kinds.ts';
import { mutatingWebhookKind, validatingWebhookKind } from './webhook-kinds.ts';

/**
 * Extension servers made with Go's library list and watch these before they call themselves ready, and act on them for
 * what they serve. This server stores them, and says in a warning that it does no more.
 */
export const admissionKinds: readonly ResourceDefinition[] = [
  mutatingPolicyKind,
  mutatingBindingKind,
  mutatingWebhookKind,
  validatingPolicyKind,
  validatingBindingKind,
  validatingWebhookKind,
];
