import type {
  MatchResources,
  MutatingWebhook,
  Rule,
  ValidatingWebhook,
} from '@tributary/api/admissionregistration-v1';

const TIMEOUT_SECONDS = 10;
const PORT = 443;

export function defaultWebhooks(webhooks: readonly (MutatingWebhook | ValidatingWebhook)[] = []) {
  for (const webhook of webhooks) {
    webhook.failurePolicy ??= 'Fail';
    webhook.timeoutSeconds ??= TIMEOUT_SECONDS;
    defaultSelection(webhook);
    webhook.rules?.forEach(defaultScope);
    const { service } = webhook.clientConfig;
    if (service !== undefined) service.port ??= PORT;
  }
}

export function defaultMatch(match: MatchResources | undefined): void {
  if (match === undefined) return;
  defaultSelection(match);
  match.resourceRules?.forEach(defaultScope);
  match.excludeResourceRules?.forEach(defaultScope);
}

type Selection = Pick<MatchResources, 'matchPolicy' | 'namespaceSelector' | 'objectSelector'>;

function defaultSelection(selection: Selection): void {
  selection.matchPolicy ??= 'Equivalent';
  selection.namespaceSelector ??= {};
  selection.objectSelector ??= {};
}

function defaultScope(rule: Rule): void {
  rule.scope ??= '*';
}
