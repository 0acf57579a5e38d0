import type { SelfSubjectReview } from '@tributary/api/authentication-v1';
import { formatTime } from '@tributary/apimachinery';
import type { UserInfo } from '@tributary/server';
import { userInfoObject } from './token-review.ts';

/** The response to `POST selfsubjectreviews`. The request body has no fields that matter. */
export function selfSubjectReview(user: UserInfo, nowMs: number): SelfSubjectReview {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: formatTime(nowMs) } as SelfSubjectReview['metadata'],
    status: { userInfo: userInfoObject(user) },
  };
}
