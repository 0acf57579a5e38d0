/** Groups of the Kubernetes community are protected: a definition in one names the approval of its API. */

import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError, type ObjectMeta, root } from '@tributary/apimachinery';
import { parseUrl, UrlError } from '@tributary/apimachinery/net';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';
const MUST = `protected groups must have approval annotation "${ANNOTATION}"`;

export interface Approval {
  readonly state: 'invalid' | 'approved' | 'bypassed' | 'missing';
  readonly message: string;
}

export function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

export function approvalOf({ annotations }: Pick<ObjectMeta, 'annotations'>): Approval {
  const annotation = annotations?.[ANNOTATION] ?? '';
  if (annotation === '') return { state: 'missing', message: `${MUST}, ${SEE}` };
  if (annotation.startsWith('unapproved')) {
    return { state: 'bypassed', message: `not approved: ${JSON.stringify(annotation)}` };
  }
  if (isUrl(annotation)) {
    return { state: 'approved', message: `approved in ${annotation}` };
  }
  return {
    state: 'invalid',
    message: `${MUST} with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}

function isUrl(text: string): boolean {
  try {
    const { host, scheme } = parseUrl(text);
    return host !== '' && scheme !== '';
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

/** An update without a change of the approval is accepted, even if it was never valid. */
export function validateApproval(
  { spec, metadata }: Pick<CustomResourceDefinition, 'spec' | 'metadata'>,
  live?: Pick<CustomResourceDefinition, 'metadata'>,
): FieldError[] {
  if (!isProtectedGroup(spec.group)) return [];
  const { state, message } = approvalOf(metadata);
  if (live !== undefined && approvalOf(live.metadata).state === state) return [];
  const path = root('metadata', 'annotations').key(ANNOTATION);
  if (state === 'missing') return [fieldError.required(path, message)];
  if (state !== 'invalid') return [];
  return [fieldError.invalid(path, metadata.annotations?.[ANNOTATION], message)];
}
