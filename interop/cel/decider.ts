/** Decides as the judge's authorizer does: allows get and list, fails for fail, and tells what it was asked. */
import { parseFieldSelector, parseLabelSelector } from '@tributary/apimachinery';
import type {
  AuthorizationDecision,
  AuthorizationQuestion,
  ResourceQuestion,
} from '../../packages/cel/src/library/authorizer.ts';

export const user = { name: 'alice', groups: ['eu'] };
export const requestResource = {
  group: 'apps',
  resource: 'deployments',
  namespace: 'shop',
  name: 'web',
};

export function decide(question: AuthorizationQuestion): AuthorizationDecision {
  const { verb } = question;
  return {
    allowed: verb === 'get' || verb === 'list',
    reason: describe(question),
    error: verb === 'fail' ? 'cannot decide' : '',
  };
}

function describe(question: AuthorizationQuestion): string {
  const { user: who, verb } = question;
  const head = `user=${who.name} groups=[${who.groups.join(' ')}]`;
  if (question.kind === 'path') return `${head} path=${question.path} verb=${verb}`;
  const { group, resource, subresource, namespace, name } = question;
  const place = `group=${group} version=* resource=${resource} sub=${subresource}`;
  return `${head} verb=${verb} ${place} namespace=${namespace} name=${name} ${selectors(question)}`;
}

function selectors({ fieldSelector, labelSelector }: ResourceQuestion): string {
  const fields = parseFieldSelector(fieldSelector);
  const labels = parseLabelSelector(labelSelector);
  const fieldCount = fields.ok ? String(fields.selector.requirements.length) : 'unreadable';
  const labelCount = labels.ok ? String(labels.selector.requirements.length) : 'unreadable';
  return `fields=${fieldCount} labels=${labelCount}`;
}
